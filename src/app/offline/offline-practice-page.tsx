import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import type { MetaFunction } from 'react-router'
import {
  changePractice,
  finishPractice,
  listRefused,
  openPractice,
  readOfflineExam,
  sendResults,
} from '../../features/attempts/offline-exams/offline-exams-client.ts'
import { copy } from '../../features/attempts/offline-exams/offline-exams.copy.ts'
import type { Practice as PracticeUnderWay } from '../../features/attempts/offline-exams/offline-exams.ts'
import type { OfflineAttempt, OfflineExam } from '../../features/attempts/offline-exams/offline-exams.schema.ts'
import { Explanation } from '../../features/attempts/exam-screen/ui/explanation.tsx'
import { AnswerForm } from '../../features/questions/types/form-registry.tsx'
import { isRightInReview } from '../../features/questions/types/grading-registry.ts'
import type { Answer } from '../../features/questions/types/question-types.schema.ts'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Heading, Page } from '../../ui/page-parts.tsx'
import { copy as siteCopy } from '../app.copy.ts'
import { privatePage } from '../layout/page-meta.ts'
import { useSite } from '../layout/use-site.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['pack.heading'])

/**
 * Practice with an offline exam. The service worker serves the page, which is the same for everyone; the query names the
 * exam.
 */
export default function OfflinePracticePage() {
  const { site } = useSite()
  const [opened, setOpened] = useState<Opened | null | undefined>(undefined)
  useEffect(() => {
    const slug = new URLSearchParams(location.search).get('exam') ?? ''
    openPractice(slug).then(setOpened, (error: unknown) => {
      console.warn('The offline exam could not be read:', error)
      setOpened(null)
    })
  }, [])
  return (
    <main id="main" tabIndex={-1} className="min-h-dvh focus:outline-none">
      <Page width="exam">
        {opened === undefined ? (
          <p role="status" className="py-16 text-center text-soft">
            {siteCopy['app.loading']}
          </p>
        ) : opened === null ? (
          <>
            <a href={paths.home} className="text-lg font-semibold tracking-tight">
              {site.brandName}
            </a>
            <Heading className="mt-10 text-2xl font-semibold tablet:text-3xl">{copy['pack.heading']}</Heading>
            <p className="mt-3 text-soft">{copy['pack.none']}</p>
            <ButtonLink to={paths.myCourses} reloadDocument className="mt-6">
              {siteCopy['layout.courses']}
            </ButtonLink>
          </>
        ) : (
          <Practice {...opened} />
        )}
      </Page>
    </main>
  )
}

type Opened = { readonly offlineExam: OfflineExam; readonly practice: PracticeUnderWay }
type Question = OfflineExam['questions'][number]

/** Stores every change on the device at once, because phones reload tabs by themselves. */
function usePractice({ offlineExam, practice: stored }: Opened) {
  const [practice, setPractice] = useState(stored)
  const change = (update: (before: PracticeUnderWay) => PracticeUnderWay) => {
    setPractice(update)
    changePractice(offlineExam.examSlug, practice.id, update).then(
      // If another tab finished the practice, show the state on the device.
      (isStored) => (isStored ? undefined : location.reload()),
      (error: unknown) => console.warn('The answer could not be stored on this device:', error),
    )
  }
  const setAnswer = (question: Question, answer: Answer | null) => {
    // Another tab may have checked the question meanwhile, which makes its answer final.
    change((before) =>
      before.checked.includes(question.id)
        ? before
        : { ...before, answers: { ...before.answers, [question.id]: answer } },
    )
  }
  const check = async (question: Question, answer: Answer) => {
    // The exam is deleted from the device when access ends.
    if ((await readOfflineExam(offlineExam.examSlug)) === null) return location.reload()
    const checkedAt = new Date().toISOString()
    change((before) => ({
      ...before,
      checkedAt,
      answers: { ...before.answers, [question.id]: answer },
      checked: [...new Set([...before.checked, question.id])],
    }))
  }
  return { practice, change, setAnswer, check }
}

function Practice(opened: Opened) {
  const { offlineExam } = opened
  const { practice, change, setAnswer, check } = usePractice(opened)
  const [attempt, setAttempt] = useState<OfflineAttempt | null>(null)
  const position = useRef<HTMLHeadingElement>(null)
  const index = offlineExam.questions.findIndex(({ id }) => id === practice.questionId)
  const question = offlineExam.questions[index]
  if (attempt !== null) return <Finished offlineExam={offlineExam} attempt={attempt} />
  if (question === undefined) return <p className="text-soft">{copy['pack.none']}</p>

  const answer = practice.answers[question.id] ?? null
  const isChecked = practice.checked.includes(question.id)
  const nextQuestion = offlineExam.questions[index + 1]
  const handleCheck = (event: SubmitEvent) => {
    event.preventDefault()
    if (answer !== null && !isChecked) void check(question, answer)
  }
  const handleFinish = async () => {
    const finished = await finishPractice(offlineExam.examSlug, practice.id)
    if (finished === null) return location.reload()
    setAttempt(finished)
  }
  const handleContinue = () => {
    if (nextQuestion === undefined) return void handleFinish()
    change((before) => ({ ...before, questionId: nextQuestion.id, struck: [] }))
    position.current?.focus()
  }
  return (
    <>
      <PracticeHeader
        offlineExam={offlineExam}
        canFinish={practice.checked.length > 0}
        onFinish={() => void handleFinish()}
      />
      <h2 ref={position} tabIndex={-1} className="nums mt-6 text-sm font-semibold text-soft focus:outline-none">
        {fill(copy['pack.position'], { n: index + 1, total: offlineExam.questions.length })}
      </h2>
      <form key={question.id} onSubmit={handleCheck} className="mt-4">
        <AnswerForm
          question={question}
          answer={answer}
          struck={practice.struck}
          revealed={isChecked ? question : null}
          isDisabled={false}
          onAnswer={(next) => (isChecked ? undefined : setAnswer(question, next))}
          onStrike={(id) => change((before) => ({ ...before, struck: toggled(before.struck, id) }))}
        />
        <div aria-live="polite">
          {isChecked ? <Feedback question={question} isCorrect={isRightInReview(question, answer)} /> : null}
        </div>
        <PracticeButtons
          isChecked={isChecked}
          canCheck={answer !== null}
          isLast={nextQuestion === undefined}
          onContinue={handleContinue}
        />
      </form>
    </>
  )
}

function PracticeHeader({
  offlineExam,
  canFinish,
  onFinish,
}: {
  offlineExam: OfflineExam
  canFinish: boolean
  onFinish: () => void
}) {
  return (
    <div className="flex items-start justify-between gap-3">
      <div className="min-w-0 flex-1">
        <Heading className="text-xl font-semibold">{offlineExam.examTitle}</Heading>
        <p className="text-sm text-soft">
          {offlineExam.courseTitle}. {copy['pack.heading']}
        </p>
      </div>
      <Button look="secondary" className="shrink-0" disabled={!canFinish} onClick={onFinish}>
        {copy['pack.finish']}
      </Button>
    </div>
  )
}

/** Checks the answer first, and then goes on to the next question or the result. */
function PracticeButtons({
  isChecked,
  canCheck,
  isLast,
  onContinue,
}: {
  isChecked: boolean
  canCheck: boolean
  isLast: boolean
  onContinue: () => void
}) {
  return (
    <div className="mt-6 flex justify-end gap-3 border-t border-line pt-4">
      {isChecked ? (
        <Button key={isLast ? 'finish' : 'next'} autoFocus onClick={onContinue}>
          {copy[isLast ? 'pack.finish' : 'pack.next']}
        </Button>
      ) : (
        <Button key="check" type="submit" disabled={!canCheck}>
          {copy['pack.check']}
        </Button>
      )}
    </div>
  )
}

function Feedback({ question, isCorrect }: { question: Question; isCorrect: boolean }) {
  return (
    <div className="mt-6 border-t border-line pt-5">
      <p className={`text-lg font-semibold ${isCorrect ? 'text-good' : 'text-bad'}`}>
        {isCorrect ? copy['pack.right'] : copy['pack.wrong']}
      </p>
      <div className="mt-4">
        <Explanation question={question} level={3} />
      </div>
    </div>
  )
}

function Finished({ offlineExam, attempt }: { offlineExam: OfflineExam; attempt: OfflineAttempt }) {
  const [isSent, setSent] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const right = offlineExam.questions.filter((one) => isRightInReview(one, attempt.answers[one.id] ?? null)).length
  useEffect(() => {
    // A result that stays unsent here is sent by the next page that is online.
    const send = async () => {
      try {
        if ((await sendResults(offlineExam.userId)).includes(attempt.id)) setSent(true)
        else setRefused((await listRefused({ attemptId: attempt.id }))[0]?.refused ?? null)
      } catch (error) {
        console.warn('The result could not be sent:', error)
      }
    }
    void send()
    const handleOnline = () => void send()
    window.addEventListener('online', handleOnline)
    return () => window.removeEventListener('online', handleOnline)
  }, [offlineExam.userId, attempt.id])
  return (
    <>
      <Heading className="text-2xl font-semibold">{offlineExam.examTitle}</Heading>
      <p className="nums mt-4 text-3xl font-semibold">
        {fill(copy['pack.result'], { right, total: offlineExam.questions.length })}
      </p>
      <p role="status" className="mt-3 text-soft">
        {isSent ? copy['pack.sent'] : (refused ?? copy['pack.waiting'])}
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        {isSent ? (
          <ButtonLink to={paths.examReview(attempt.id)} reloadDocument>
            {copy['pack.review']}
          </ButtonLink>
        ) : null}
        <ButtonLink to={paths.exam(offlineExam.courseSlug, offlineExam.examSlug)} look="secondary" reloadDocument>
          {copy['pack.back']}
        </ButtonLink>
      </div>
    </>
  )
}

function toggled(list: readonly string[], id: string): string[] {
  return list.includes(id) ? list.filter((other) => other !== id) : [...list, id]
}
