import { useDeferredValue, type ReactNode, type RefObject } from 'react'
import { AnswerForm } from '../../../questions/types/form-registry.tsx'
import {
  caseStudyOf,
  CaseStudyColumn,
  CaseStudyPosition,
} from '../../../questions/case-studies/ui/beside-case-study.tsx'
import { fill } from '../../../../lib/failure.ts'
import { Button } from '../../../../ui/button.tsx'
import { copy } from '../../attempts.copy.ts'
import { countQuestions } from '../../count-questions.ts'
import type { AttemptView } from '../../attempts.schema.ts'
import type { AnswerSaving } from '../../saving/answer-queue-client.ts'
import { CheckedAnswer } from './checked-answer.tsx'
import { ExamActions } from './exam-actions.tsx'
import { EXAM_FORM_ID, ExamForm, submitsExam } from '../../plain-exam/ui/posted-exam-form.tsx'
import { PlainFinish } from '../../plain-exam/ui/plain-finish.tsx'
import { PlainNotice, type PlainExam } from '../../plain-exam/ui/plain-notice.tsx'
import { ExamClock } from './exam-clock.tsx'
import { ExamFrame } from './exam-frame.tsx'
import { OpeningFailed, QuestionLoading } from './exam-loading.tsx'
import { ExamNotices } from './exam-notices.tsx'
import { FinishDialog } from './finish-dialog.tsx'
import { QuestionGrid } from './question-grid.tsx'
import { QuestionMarks } from './question-marks.tsx'
import { SavingLine } from './saving-line.tsx'
import { KeyHelp } from './shortcut-help.tsx'
import { useRunningExam } from './use-running-exam.ts'

type Exam = Omit<ReturnType<typeof useRunningExam>, 'noteRef' | 'positionRef' | 'checkRef'>

type Props = {
  readonly attempt: AttemptView
  readonly saving: AnswerSaving
  readonly plain: PlainExam
  readonly mayReport: boolean
  readonly backTo: string
  /** Why the attempt could not be taken back, or its other questions did not arrive. */
  readonly problem: string | null
  /** The learner wants the attempt back after another page took it over. */
  readonly onTakeBack: () => void
  readonly onFinished: () => void
}

const COLUMNS = 'mx-auto grid w-full max-w-[1160px] gap-x-12 px-4 tablet:px-6 desktop:grid-cols-[minmax(0,1fr)_236px]'
/** The list of the questions is below the case study and the question until there is room for three columns. */
const COLUMNS_WITH_CASE_STUDY =
  'mx-auto grid w-full max-w-[1160px] gap-x-10 px-4 tablet:px-6 min-[1100px]:max-w-[1680px] min-[1100px]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] min-[1360px]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_236px]'

/** An open attempt, one question at a time. Every change is saved at once. */
export function RunningExam({ attempt, saving, plain, problem, onFinished, ...props }: Props) {
  const { noteRef, positionRef, checkRef, ...exam } = useRunningExam(attempt, saving, plain, onFinished)
  const { questions } = attempt
  const questionCount = countQuestions(attempt)
  const isWhole = questions.length === questionCount
  const isLast = exam.view.place === questionCount - 1
  const caseStudy = caseStudyOf(attempt.caseStudies, exam.view.question?.id)
  return (
    <ExamFrame
      title={attempt.examTitle}
      subtitle={attempt.courseTitle}
      backTo={props.backTo}
      tools={<Tools exam={exam} isPrimary={attempt.mode === 'timed' && isLast} />}
      // In all questions of the exam: the clock would jump from one to the next.
      isWide={attempt.caseStudies.length > 0}
    >
      <ExamForm attempt={attempt} place={plain.place ?? 0} action={plain.action} writer={plain.writer} />
      <div className={caseStudy === undefined ? COLUMNS : COLUMNS_WITH_CASE_STUDY}>
        {caseStudy === undefined ? null : <CaseStudyColumn key={caseStudy.id} caseStudy={caseStudy} />}
        <div className="min-w-0 py-6 tablet:py-10">
          <Position exam={exam} positionRef={positionRef} total={questionCount} />
          {caseStudy === undefined ? null : (
            <CaseStudyPosition caseStudy={caseStudy} questionId={exam.view.question?.id ?? ''} />
          )}
          <Notices exam={exam} {...props} takeBackProblem={problem} onRetry={saving.retryNow} onFinished={onFinished} />
          {isWhole || problem === null ? null : <OpeningFailed problem={problem} />}
          {exam.hasMoved ? null : <PlainNotice plain={plain} isOpened={exam.isHydrated} />}
          {plain.shows === 'finish' && !exam.isHydrated ? (
            <PlainFinish attempt={attempt} />
          ) : (
            <>
              <CurrentQuestion
                exam={exam}
                noteRef={noteRef}
                attemptId={attempt.id}
                mayReport={props.mayReport}
                onLeaveNote={() => positionRef.current?.focus()}
              />
              <AfterQuestion isHydrated={exam.isHydrated}>
                <Actions exam={exam} isLast={isLast} checkRef={checkRef} />
              </AfterQuestion>
            </>
          )}
        </div>
        <Sidebar exam={exam} questions={isWhole ? questions : null} isBelow={caseStudy !== undefined} />
      </div>
      <Dialogs exam={exam} attempt={attempt} />
    </ExamFrame>
  )
}

function Notices({
  exam: { view, submission },
  ...rest
}: { exam: Exam; takeBackProblem: string | null; onRetry: () => void } & Pick<Props, 'onTakeBack' | 'onFinished'>) {
  const { isSubmitting, problem } = submission
  return (
    <ExamNotices
      saving={view.saving}
      isTimeUp={view.isTimeUp}
      isSubmitting={isSubmitting}
      submitProblem={problem}
      {...rest}
    />
  )
}

function Tools({ exam: { view, clock, finish }, isPrimary }: { exam: Exam; isPrimary: boolean }) {
  const { remaining, connection } = view.saving
  return (
    <>
      {remaining === null || connection === 'over' ? null : (
        <ExamClock
          remaining={remaining}
          isShown={clock.isShown}
          onSwitch={clock.switchClock}
          onSpeak={clock.speak}
          onTimeUp={view.endTime}
        />
      )}
      <Button
        {...submitsExam({ kind: 'finish' })}
        look={isPrimary ? 'primary' : 'secondary'}
        onClick={finish.open}
        disabled={view.isClosed}
      >
        {copy['exam.finish']}
      </Button>
    </>
  )
}

function Position({
  exam: { view, clock },
  positionRef,
  total,
}: {
  exam: Exam
  positionRef: RefObject<HTMLHeadingElement | null>
  total: number
}) {
  const { unsavedCount, connection } = view.saving
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 ref={positionRef} tabIndex={-1} className="nums text-sm font-semibold text-soft focus:outline-none">
          {fill(copy['exam.position'], { n: view.place + 1, total })}
        </h2>
        <SavingLine unsavedCount={unsavedCount} connection={connection} />
      </div>
      <p aria-live="polite" className="sr-only">
        <span key={clock.spoken.count}>{clock.spoken.text}</span>
      </p>
    </>
  )
}

/** The question with the learner's answer and marks, and the explanation once the answer is checked. */
function CurrentQuestion({
  exam: { view, changes, openNote, isHydrated },
  noteRef,
  attemptId,
  mayReport,
  onLeaveNote,
}: {
  exam: Exam
  noteRef: RefObject<HTMLTextAreaElement | null>
  attemptId: string
  mayReport: boolean
  onLeaveNote: () => void
}) {
  const { question, answer, revealed, isClosed, place } = view
  return (
    <>
      {question === undefined ? (
        <div className="mt-4">
          <QuestionLoading />
        </div>
      ) : (
        <div className="mt-4" key={question.id}>
          <AnswerForm
            question={question}
            answer={answer.answer}
            struck={answer.struck}
            revealed={revealed}
            isDisabled={isClosed}
            formId={EXAM_FORM_ID}
            onAnswer={changes.setAnswer}
            onStrike={changes.strike}
          />
        </div>
      )}
      <AfterQuestion isHydrated={isHydrated}>
        <QuestionMarks
          place={place}
          answer={answer}
          isClosed={isClosed || question === undefined}
          isNoteOpen={view.isNoteOpen}
          noteRef={noteRef}
          onConfidence={changes.setConfidence}
          onNote={changes.setNote}
          onOpenNote={openNote}
          onLeaveNote={onLeaveNote}
        />
      </AfterQuestion>
      <div aria-live="polite">
        {revealed === null ? null : (
          <CheckedAnswer
            question={revealed}
            answer={answer.answer}
            report={mayReport ? { attemptId, number: place + 1 } : null}
          />
        )}
      </div>
    </>
  )
}

function Actions({
  exam: { view, check, changes, go, isHydrated },
  isLast,
  checkRef,
}: {
  exam: Exam
  isLast: boolean
  checkRef: RefObject<HTMLButtonElement | null>
}) {
  return (
    <ExamActions
      place={view.place}
      isLast={isLast}
      isFlagged={view.answer.isFlagged}
      isClosed={view.isClosed || view.question === undefined}
      check={
        view.canCheck
          ? {
              // Before scripts run, the form says that nothing is chosen.
              isDisabled: isHydrated && (view.answer.answer === null || check.isRunning),
              onCheck: () => view.question && check.run(view.question.id),
            }
          : null
      }
      checkRef={checkRef}
      problem={check.problem}
      onGo={go}
      onFlag={changes.flag}
    />
  )
}

/** In an exam that this page opens, it is rendered after the question, which does not wait for it. */
function AfterQuestion({ isHydrated, children }: { isHydrated: boolean; children: ReactNode }) {
  return useDeferredValue(true, !isHydrated) ? children : null
}

function Sidebar({
  exam: { view, help, go, isHydrated },
  questions,
  isBelow,
}: {
  exam: Exam
  /** Null until all of them have arrived. */
  questions: AttemptView['questions'] | null
  /** A case study takes its column. */
  isBelow: boolean
}) {
  return (
    <aside
      className={
        isBelow
          ? 'border-t border-line py-6 min-[1100px]:col-span-2 min-[1360px]:col-span-1 min-[1360px]:border-t-0 min-[1360px]:py-10'
          : 'border-t border-line py-6 desktop:border-t-0 desktop:py-10'
      }
    >
      <div className="desktop:sticky desktop:top-24">
        <AfterQuestion isHydrated={isHydrated}>
          {questions === null ? null : (
            <QuestionGrid questions={questions} answers={view.saving.answers} current={view.place} onGo={go} />
          )}
          <button
            type="button"
            onClick={help.open}
            className="mt-6 min-h-8 text-sm font-medium text-soft underline hover:text-ink"
          >
            {copy['exam.keys.open']}
          </button>
        </AfterQuestion>
      </div>
    </aside>
  )
}

/** Only an open dialog is rendered: a closed one would cost time with each step. */
function Dialogs({ exam: { view, submission, help, finish, go }, attempt }: { exam: Exam; attempt: AttemptView }) {
  return (
    <>
      {help.isOpen ? (
        <KeyHelp isOn={help.isOn} isTimed={attempt.mode === 'timed'} onClose={help.close} onSwitch={help.switchKeys} />
      ) : null}
      {finish.isOpen ? (
        <FinishDialog
          questions={attempt.questions}
          answers={view.saving.answers}
          isSubmitting={submission.isSubmitting}
          problem={submission.problem}
          onClose={finish.close}
          onGo={go}
          onSubmit={() => void submission.submit()}
        />
      ) : null}
    </>
  )
}
