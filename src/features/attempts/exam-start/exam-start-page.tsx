import { useEffect, useRef, useState } from 'react'
import { Link, useLoaderData, useNavigate, useNavigation, type MetaFunction } from 'react-router'
import type { ExtraTime } from '../../../lib/extra-time.ts'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { filesOfRoutes } from '../../../platform/route-files-client.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { ClockIcon, LockIcon } from '../../../ui/icons.tsx'
import { Breadcrumb, EmptyState, Heading, Page, quietLink } from '../../../ui/page-parts.tsx'
import type { examStartLoader } from '../exam-screen/exam-page-endpoints.server.ts'
import { copy } from '../attempts.copy.ts'
import { minutesWith } from '../attempts.ts'
import type { AttemptSummary, Mode } from '../attempts.schema.ts'
import { AttemptHistory } from '../review/ui/attempt-history.tsx'
import { KeepOffline } from '../offline-exams/keep-offline.tsx'
import { RefusedPractices } from '../offline-exams/refused-practices.tsx'
import { forgetOpenedAhead, loadAheadOfStart, openAhead, type KnownExam } from './opened-exam-client.ts'
import { counted } from '../../../lib/text.ts'

export { examStartLoader as loader } from '../exam-screen/exam-page-endpoints.server.ts'

export const meta: MetaFunction<typeof examStartLoader> = ({ data }) => [
  { title: data === undefined ? 'Exam' : `${data.exam.title}, ${data.exam.courseTitle}` },
  { name: 'robots', content: 'noindex' },
]

export default function ExamStartPage() {
  const { exam, access, attempts, extraTime, overdueIds } = useLoaderData<typeof examStartLoader>()
  const hasAccess = access === 'running' || access === 'admin'
  const open = attempts.open.filter(({ id }) => !overdueIds.includes(id))
  const minutes = minutesWith(extraTime, exam.timeLimitMinutes)
  return (
    <Page width="exam">
      <Breadcrumb ways={[{ to: paths.course(exam.courseSlug), label: exam.courseTitle }]} />
      <Heading className="mt-3 text-2xl font-semibold tablet:text-3xl">{exam.title}</Heading>
      <dl className="nums mt-6 grid grid-cols-3 border-y border-line">
        <Fact label="Questions" value={String(exam.questionCount)} />
        <Fact label="Minutes" value={minutes === null ? 'No clock' : String(minutes)} />
        <Fact label="To pass" value={`${exam.passingScore}%`} />
      </dl>
      {extraTime === 'none' ? null : (
        <p className="mt-3 flex items-center gap-2 text-sm text-soft">
          <ClockIcon />
          {minutes === null
            ? copy['start.untimed']
            : fill(copy['start.extra-time'], { factor: extraTime, usual: exam.timeLimitMinutes })}
        </p>
      )}

      {exam.hasPartialCredit ? (
        <p className="mt-3 text-sm text-soft">
          <span className="font-semibold text-ink">{copy['start.partial']}.</span> {copy['start.partial.about']}
        </p>
      ) : null}

      {exam.questionCount === 0 ? (
        <p className="mt-8 text-lg">{copy['start.empty']}</p>
      ) : (
        <Modes exam={exam} access={access} hasAccess={hasAccess} extraTime={extraTime} open={open} minutes={minutes} />
      )}

      {hasAccess ? (
        <p className="mt-5 text-soft">
          {copy['start.mock']}{' '}
          <Link to={paths.mock(exam.courseSlug)} className={quietLink}>
            {copy['start.mock.link']}
          </Link>
        </p>
      ) : null}
      {access === 'guest' ? null : <RefusedPractices key={`refused-${exam.slug}`} examSlug={exam.slug} />}
      {hasAccess && exam.questionCount > 0 ? <KeepOffline key={exam.slug} examSlug={exam.slug} /> : null}

      {attempts.finishedCount > 0 ? (
        <AttemptHistory
          attempts={attempts}
          passingScore={exam.passingScore}
          isGuest={access === 'guest'}
          path={paths.exam(exam.courseSlug, exam.slug)}
        />
      ) : exam.questionCount > 0 && (hasAccess || exam.isFreeTrial) ? (
        <NoAttempts />
      ) : null}
    </Page>
  )
}

function NoAttempts() {
  return (
    <section aria-labelledby="attempts-heading" className="mt-12">
      <h2 id="attempts-heading" className="mb-4 text-xl font-semibold">
        {copy['history.title']}
      </h2>
      <EmptyState drawing="attempts" title={copy['history.empty']} hint={copy['history.empty.hint']} />
    </section>
  )
}

type Loaded = Awaited<ReturnType<typeof examStartLoader>>
type Exam = Loaded['exam']

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex flex-col-reverse justify-end py-4 pr-2 not-first:border-l not-first:border-line not-first:pl-4 tablet:not-first:pl-6">
      <dt className="text-sm text-soft">{label}</dt>
      <dd className="text-2xl font-semibold">{value}</dd>
    </div>
  )
}

/** Modes with an open attempt are offered in any case, so that it can be resumed after access has ended or begun. */
function Modes({
  exam,
  access,
  hasAccess,
  extraTime,
  open,
  minutes,
}: {
  exam: Exam
  access: Loaded['access']
  hasAccess: boolean
  extraTime: ExtraTime
  open: readonly AttemptSummary[]
  minutes: number | null
}) {
  const openIn = (mode: Mode) => open.find((one) => one.mode === mode)
  const card = (mode: Mode) => ({ exam, mode, isGuest: access === 'guest', extraTime, open: openIn(mode) })
  return (
    <section aria-labelledby="modes-heading" className="mt-8">
      <ScriptsAhead />
      <h2 id="modes-heading" className="sr-only">
        How to take it
      </h2>
      <div className="grid gap-4 tablet:grid-cols-2">
        {hasAccess || openIn('timed') !== undefined ? (
          <ModeCard {...card('timed')} minutes={minutes} isPrimary />
        ) : null}
        {hasAccess ? <ModeCard {...card('practice')} isPrimary={false} /> : null}
        {exam.isFreeTrial && (!hasAccess || openIn('preview') !== undefined) ? (
          <ModeCard {...card('preview')} isPrimary={!hasAccess} />
        ) : null}
        {hasAccess ? null : <Locked exam={exam} access={access} />}
      </div>
    </section>
  )
}

/** Loads the scripts of the exam page once this page is at rest, so that a start waits for its reply only. */
function ScriptsAhead() {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    // Scripts that this page needs itself come first.
    const timer = setTimeout(() => {
      setIdle(true)
      loadAheadOfStart()
    }, 200)
    return () => clearTimeout(timer)
  }, [])
  if (!isIdle) return null
  return filesOfRoutes(['layout/exam-layout', 'exam']).map((file) => (
    <link key={file} rel="modulepreload" href={file} />
  ))
}

function ModeCard({
  exam,
  mode,
  isGuest,
  extraTime,
  minutes = null,
  isPrimary,
  open,
}: {
  exam: Exam
  mode: Mode
  isGuest: boolean
  extraTime: ExtraTime
  /** This learner's time limit; null without one. */
  minutes?: number | null
  isPrimary: boolean
  open: AttemptSummary | undefined
}) {
  const name = copy[`mode.${mode}`]
  const action = open === undefined ? copy['exam.start'] : copy['exam.resume']
  const button = { look: isPrimary ? ('primary' as const) : ('secondary' as const), 'aria-label': `${action}: ${name}` }
  return (
    <div className="flex flex-col rounded-lg border border-line bg-surface p-6">
      <h3 className="text-lg font-semibold">{name}</h3>
      <p className="mt-1 mb-5 flex-1 text-soft">
        {minutes === null ? '' : `${counted(minutes, 'minute')}. `}
        {copy[`mode.${mode}.about`]}
      </p>
      {open === undefined ? null : (
        <p className="nums mb-3 text-sm font-semibold text-soft">
          {open.answeredCount} of {open.questionCount} answered
        </p>
      )}
      {open === undefined && mode !== 'timed' ? (
        <StartForm facts={{ exam, mode, isGuest, extraTime }} button={button} />
      ) : (
        // The page of a timed exam says what to expect before its clock starts.
        <ButtonLink to={paths.examMode(exam.courseSlug, exam.slug, mode)} {...button}>
          {action}
        </ButtonLink>
      )}
    </div>
  )
}

/** Starts an exam with one call, whose reply the exam page shows. Where no script runs, the form's reply is that page. */
function StartForm({
  facts,
  button,
}: {
  facts: KnownExam
  button: { readonly look: 'primary' | 'secondary'; readonly 'aria-label': string }
}) {
  const address = paths.examMode(facts.exam.courseSlug, facts.exam.slug, facts.mode)
  const navigate = useNavigate()
  const { location } = useNavigation()
  const isStarting = location?.pathname === address
  // A second press would interrupt the navigation of the first.
  const isPressed = useRef(false)
  // What was opened ahead lasts as long as its navigation, whose loaders a live change may start again.
  useEffect(() => (isStarting ? forgetOpenedAhead : undefined), [isStarting])
  useEffect(() => forgetOpenedAhead, [])
  return (
    <form
      method="post"
      action={address}
      className="grid"
      onSubmit={(event) => {
        event.preventDefault()
        if (isStarting || isPressed.current) return
        isPressed.current = true
        openAhead(facts)
        // In a task of its own: the call is sent first, and the exam's page is rendered while it is under way. A start changes nothing
        // in the frame, so the first question does not wait for its data.
        setTimeout(async () => {
          await navigate(address, { defaultShouldRevalidate: false })
          isPressed.current = false
        })
      }}
    >
      <Button type="submit" aria-busy={isStarting} aria-disabled={isStarting} {...button}>
        {copy['exam.start']}
      </Button>
    </form>
  )
}

/** The way to get access: sign in, buy or renew. */
function Locked({ exam: { courseSlug, slug, isFreeTrial }, access }: { exam: Exam; access: Loaded['access'] }) {
  return (
    <div className="flex flex-col rounded-lg border border-dashed border-line-strong p-6">
      <h3 className="flex items-center gap-2 text-lg font-semibold">
        <LockIcon />
        {copy['mode.timed']} and practice
      </h3>
      <p className="mt-1 mb-5 flex-1 text-soft">
        {access === 'ended' ? copy['refused.ended'] : 'They come with the course: 30 days for every exam in it.'}
      </p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={paths.course(courseSlug)} look={isFreeTrial ? 'secondary' : 'primary'}>
          {access === 'ended' ? 'Renew access' : 'See the course'}
        </ButtonLink>
        {access === 'guest' ? (
          <ButtonLink to={`${paths.login}?redirect=${encodeURIComponent(paths.exam(courseSlug, slug))}`} look="quiet">
            {copy['result.keep.login']}
          </ButtonLink>
        ) : null}
      </div>
    </div>
  )
}
