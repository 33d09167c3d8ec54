import { Link, useNavigate, useRevalidator } from 'react-router'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { messageOf, toastOf } from '../../../platform/api-client.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { ArrowIcon, CheckIcon } from '../../../ui/icons.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { EmptyState } from '../../../ui/page-parts.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import { beginDraft } from '../drafts/drafts-client.ts'
import type { Blocker } from '../drafts/drafts.ts'
import type { ExamSettings } from '../../catalogue/exam-settings.schema.ts'
import { publishCourse } from '../courses/admin-courses-client.ts'
import { BUILDER_STEPS, type CourseFactsView } from '../../catalogue/catalogue.schema.ts'
import { CourseExams } from '../courses/ui/course-exams.tsx'
import { FactsEditor } from '../courses/ui/facts-editor.tsx'
import { counted } from '../../../lib/text.ts'

type Step = (typeof BUILDER_STEPS)[number]

export type BuiltCourse = {
  readonly course: CourseFactsView
  readonly step: Step
  readonly exams: readonly {
    readonly id: string
    readonly settings: ExamSettings
    readonly draftVersion: number | null
    readonly questionCount: number
    readonly reviewCount: number
  }[]
  readonly blockers: readonly Blocker[]
  readonly blockerCount: number
}

const stepNames = { facts: 'Facts', exams: 'Exams', questions: 'Questions', look: 'Look over and publish' } as const

/** The steps of building a course, with the current one open. */
export function BuilderSteps({ built, adminId, now }: { built: BuiltCourse; adminId: string; now: string }) {
  const { course, step, exams } = built
  const { revalidate } = useRevalidator()
  const isDone: Record<Step, boolean> = {
    facts: course.priceCents > 0 && course.category !== null,
    exams: exams.length > 0,
    questions: exams.length > 0 && exams.every(({ questionCount }) => questionCount > 0),
    look: course.status === 'published',
  }
  const next = BUILDER_STEPS[BUILDER_STEPS.indexOf(step) + 1]
  const onwards =
    next === undefined ? null : (
      <ButtonLink to={adminPaths.builderAt(course.id, next)}>
        Next: {stepNames[next]} <ArrowIcon />
      </ButtonLink>
    )
  return (
    <>
      <StepLinks courseId={course.id} current={step} isDone={isDone} />
      <div className="mt-8">
        {step === 'facts' ? (
          <FactsEditor key={course.id} course={course} adminId={adminId} now={now} savesItself onSaved={revalidate}>
            {onwards}
          </FactsEditor>
        ) : null}
        {step === 'exams' ? (
          <>
            <CourseExams
              courseId={course.id}
              exams={exams.map(({ id, settings, questionCount }) => ({
                id,
                title: settings.title,
                questionCount,
                minutes: settings.timeLimitMinutes,
                passingScore: settings.passingScore,
                isFreeTrial: settings.isFreeTrial,
                facts: [],
              }))}
            />
            <div className="mt-8">{onwards}</div>
          </>
        ) : null}
        {step === 'questions' ? (
          <>
            <QuestionsStep built={built} />
            <div className="mt-8">{onwards}</div>
          </>
        ) : null}
        {step === 'look' ? <ReviewStep built={built} /> : null}
      </div>
    </>
  )
}

function StepLinks({
  courseId,
  current,
  isDone,
}: {
  courseId: string
  current: Step
  isDone: Readonly<Record<Step, boolean>>
}) {
  return (
    <nav aria-label="Steps" className="mt-5">
      <ol className="grid grid-cols-2 gap-2 desktop:grid-cols-4">
        {BUILDER_STEPS.map((name, place) => (
          <li key={name}>
            <Link
              to={adminPaths.builderAt(courseId, name)}
              aria-current={name === current ? 'step' : undefined}
              className={`flex min-h-12 items-center gap-3 rounded-md border px-3 py-2 text-sm font-semibold hover:bg-sunken ${name === current ? 'border-accent bg-accent-soft' : 'border-line bg-surface text-soft'}`}
            >
              <span
                aria-hidden="true"
                className={`nums flex size-6 shrink-0 items-center justify-center rounded-full border text-xs ${isDone[name] ? 'border-good text-good' : 'border-line-strong'}`}
              >
                {isDone[name] ? <CheckIcon /> : place + 1}
              </span>
              {stepNames[name]}
              {isDone[name] ? <span className="sr-only">, done</span> : null}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function QuestionsStep({ built: { course, exams } }: { built: BuiltCourse }) {
  const navigate = useNavigate()
  const handleWrite = async (examId: string) => {
    try {
      await beginDraft(examId)
      await navigate(adminPaths.newQuestion(examId), { state: { back: adminPaths.builderAt(course.id, 'questions') } })
    } catch (error) {
      toast(...toastOf(error))
    }
  }
  if (exams.length === 0)
    return (
      <EmptyState
        title="No exams yet"
        hint="Questions belong to an exam."
        action={
          <ButtonLink to={adminPaths.builderAt(course.id, 'exams')} look="secondary">
            Add an exam
          </ButtonLink>
        }
      />
    )
  return (
    <ul className="divide-y divide-line border-y border-line">
      {exams.map((exam) => (
        <ExamRow key={exam.id} exam={exam} onWrite={() => void handleWrite(exam.id)} />
      ))}
    </ul>
  )
}

function ExamRow({ exam, onWrite }: { exam: BuiltCourse['exams'][number]; onWrite: () => void }) {
  const { title } = exam.settings
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
      <div className="min-w-0">
        <h2 className="font-semibold wrap-anywhere">{title}</h2>
        <p className="nums text-sm text-soft">
          {counted(exam.questionCount, 'question')}
          {exam.reviewCount === 0 ? '' : `, ${exam.reviewCount} to review`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button look="secondary" onClick={onWrite} aria-label={`Write questions: ${title}`}>
          Write questions
        </Button>
        <ButtonLink
          to={`${adminPaths.imports}?exam=${exam.id}`}
          look="secondary"
          aria-label={`Import questions: ${title}`}
        >
          Import
        </ButtonLink>
        <ButtonLink to={adminPaths.exam(exam.id)} look="secondary" aria-label={`All questions: ${title}`}>
          All questions
        </ButtonLink>
      </div>
    </li>
  )
}

function ReviewStep({ built: { course, exams, blockers, blockerCount } }: { built: BuiltCourse }) {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const blocks = blockers.filter(({ isBlock }) => isBlock)
  const others = blockers.filter(({ isBlock }) => !isBlock)
  const questions = exams.reduce((sum, { questionCount }) => sum + questionCount, 0)
  const drafts = exams.flatMap(({ id, draftVersion }) =>
    draftVersion === null ? [] : [{ examId: id, version: draftVersion }],
  )
  const publishing = useMutation(() => publishCourse(course.id, course.rowVersion, drafts), {
    onSuccess: () => {
      return navigate(adminPaths.course(course.id), { state: { isPublishedNow: true } })
    },
    onFailure: () => void revalidate(),
  })
  return (
    <>
      <p className="nums text-soft">
        {counted(exams.length, 'exam')}, {counted(questions, 'question')}
      </p>
      {blocks.length === 0 ? null : (
        <section aria-labelledby="blocks-heading" className="mt-6">
          <h2 id="blocks-heading" className="text-lg font-semibold">
            Needed before it can go on sale
          </h2>
          <Blockers course={course} blockers={blocks} />
        </section>
      )}
      <section aria-labelledby="look-heading" className="mt-8">
        <h2 id="look-heading" className="text-lg font-semibold">
          Worth a look
        </h2>
        {others.length === 0 ? (
          <p className="mt-2 text-soft">The checks found nothing to say.</p>
        ) : (
          <Blockers course={course} blockers={others} />
        )}
        {blockerCount > blockers.length ? (
          <p className="nums mt-3 text-sm text-soft">and {blockerCount - blockers.length} more</p>
        ) : null}
      </section>
      {publishing.failure === null ? null : (
        <Notice tone="bad" title={messageOf(publishing.failure)} className="mt-6">
          <p>Nothing was published. This page is up to date again.</p>
        </Notice>
      )}
      <div className="mt-8 flex flex-wrap items-center gap-4 border-t border-line pt-5">
        <Button disabled={blocks.length > 0} {...publishing.button} onClick={() => publishing.run()}>
          {course.status === 'published' ? 'Publish the changes' : others.length === 0 ? 'Publish' : 'Publish anyway'}
        </Button>
        <p className="text-sm text-soft">
          {blocks.length > 0
            ? 'The first list has to be empty.'
            : 'The drafts of the exams become what learners get, and the course is on sale.'}
        </p>
      </div>
    </>
  )
}

function Blockers({ course, blockers }: { course: CourseFactsView; blockers: readonly Blocker[] }) {
  return (
    <ul className="mt-3 divide-y divide-line border-y border-line">
      {blockers.map(({ sentence, where, number, examTitle }, place) => (
        // The same question can have the same sentence twice.
        <li key={place} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-2.5">
          <span className="min-w-0 grow basis-80 wrap-anywhere">{sentence}</span>
          <Link
            to={'step' in where ? adminPaths.builderAt(course.id, where.step) : pathOf(where)}
            className="nums inline-flex min-h-8 items-center text-sm font-semibold text-accent underline underline-offset-2"
          >
            {examTitle === null ? 'Correct it' : number === null ? examTitle : `Question ${number}, ${examTitle}`}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function pathOf(where: { readonly examId: string; readonly questionId: string | null }): string {
  return where.questionId === null ? adminPaths.exam(where.examId) : adminPaths.question(where.examId, where.questionId)
}
