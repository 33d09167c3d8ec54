import { useCallback, useEffect, useState } from 'react'
import { useLoaderData, useNavigate, type MetaFunction, type ShouldRevalidateFunction } from 'react-router'
import type { ExtraTime } from '../../../lib/extra-time.ts'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { messageOf } from '../../../platform/api-client.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page, Skeleton } from '../../../ui/page-parts.tsx'
import type { examLoader } from '../attempts-endpoints.server.ts'
import { copy } from '../attempts.copy.ts'
import {
  openAttempt,
  sendLeftBehind,
  takeAttemptOver,
  type AnswerSaving,
  type OpenedAttempt,
} from '../saving/answer-queue-client.ts'
import { minutesWith } from '../attempts.ts'
import type { ReviewView } from '../attempts.schema.ts'
import { ExamFrame } from './ui/exam-frame.tsx'
import { Review } from '../review/ui/attempt-review.tsx'
import { RunningExam } from './ui/running-exam.tsx'
import { counted } from '../../../lib/text.ts'

export { examLoader as loader } from '../attempts-endpoints.server.ts'

export const meta: MetaFunction<typeof examLoader> = ({ data }) => [
  { title: data === undefined ? 'Exam' : `${data.exam.title}, ${data.exam.courseTitle}` },
  { name: 'robots', content: 'noindex' },
]

/** The filter of a guest's result is in the address too; the data does not depend on it. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) => {
  const isSameResult = currentUrl.searchParams.get('attempt') === nextUrl.searchParams.get('attempt')
  const isOnlyShown = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search && isSameResult
  return isOnlyShown ? false : defaultShouldRevalidate
}

type Loaded = Awaited<ReturnType<typeof examLoader>>
type Facts = Pick<Loaded, 'exam' | 'mode' | 'isGuest' | 'extraTime'>

export default function ExamPage() {
  const data = useLoaderData<typeof examLoader>()
  if (data.kind === 'result') return <GuestResult facts={data} review={data.review} />
  if (data.kind === 'refused') return <Refused facts={data} why={data.why} />
  return <ExamScreen key={`${data.exam.slug} ${data.mode}`} facts={data} isRunning={data.isRunning} />
}

/** Starts or resumes an attempt. A timed attempt starts only after a press on a button, all others at once. */
function ExamScreen({ facts, isRunning }: { facts: Facts; isRunning: boolean }) {
  const { exam, mode, isGuest } = facts
  const navigate = useNavigate()
  const { opened, problem, isStarted, start, takeOver } = useOpenedAttempt(
    exam.slug,
    mode,
    isRunning || mode !== 'timed',
  )
  const attemptId = opened?.attempt.id ?? ''
  const handleFinished = useCallback(() => {
    if (isGuest) void navigate(`?attempt=${attemptId}`, { replace: true })
    else void navigate(paths.examReview(attemptId), { replace: true })
  }, [isGuest, attemptId, navigate])

  const backTo = paths.exam(exam.courseSlug, exam.slug)
  if (opened?.kind === 'here')
    return (
      <RunningExam
        key={opened.attempt.clock.now}
        attempt={opened.attempt}
        saving={opened.saving}
        mayReport={!isGuest}
        backTo={backTo}
        takeBackProblem={problem}
        onTakeBack={() => takeOver(opened.saving)}
        onFinished={handleFinished}
      />
    )
  return (
    <ExamFrame title={exam.title} subtitle={exam.courseTitle} backTo={backTo}>
      {opened === null ? (
        <Page width="read">
          {problem === null ? null : <OpeningFailed problem={problem} onRetry={start} />}
          {isStarted ? null : <BeforeTheClock facts={facts} onStart={start} />}
          {isStarted && problem === null ? <Loading /> : null}
        </Page>
      ) : (
        <OpenElsewhere problem={problem} onTakeOver={() => takeOver()} />
      )}
    </ExamFrame>
  )
}

/** Opens the attempt when it is started, and again with each `start` after a failure. */
function useOpenedAttempt(examSlug: string, mode: Facts['mode'], startsAtOnce: boolean) {
  const [opened, setOpened] = useState<OpenedAttempt | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [startCount, setStartCount] = useState(startsAtOnce ? 1 : 0)
  useEffect(() => {
    // The attempt is created in an effect, because loading an address must not create one.
    if (startCount === 0) return
    openAttempt(examSlug, mode).then(
      (now) => {
        setOpened(now)
        void sendLeftBehind(now.attempt.id)
      },
      (error: unknown) => setProblem(messageOf(error)),
    )
  }, [startCount, examSlug, mode])
  return {
    opened,
    problem,
    isStarted: startCount > 0,
    start: () => {
      setProblem(null)
      setStartCount(startCount + 1)
    },
    takeOver: (before?: AnswerSaving) => {
      setProblem(null)
      takeAttemptOver(opened?.attempt.id ?? '', before).then(setOpened, (error: unknown) =>
        setProblem(messageOf(error)),
      )
    },
  }
}

function OpeningFailed({ problem, onRetry }: { problem: string; onRetry: () => void }) {
  return (
    <Notice tone="bad" title={copy['exam.loading.failed']}>
      <p>{problem}</p>
      <p className="mt-3">
        <Button look="secondary" onClick={onRetry}>
          {copy['exam.retry']}
        </Button>
      </p>
    </Notice>
  )
}

function timeAllowed(usual: number, extraTime: ExtraTime): string {
  const minutes = minutesWith(extraTime, usual)
  if (minutes === null) return copy['start.untimed']
  const more = extraTime === 'none' ? '' : ` ${fill(copy['start.extra-time'], { factor: extraTime, usual })}`
  return `${counted(minutes, 'minute')}.${more}`
}

function BeforeTheClock({ facts: { exam, extraTime }, onStart }: { facts: Facts; onStart: () => void }) {
  return (
    <div className="rounded-lg border border-line bg-surface p-6 tablet:p-8">
      <h2 className="text-xl font-semibold">{copy['mode.timed']}</h2>
      <ul className="nums mt-4 space-y-1.5">
        <li>{counted(exam.questionCount, 'question')}, one at a time; you may go back and flag.</li>
        <li>{timeAllowed(exam.timeLimitMinutes, extraTime)}</li>
        <li>{exam.passingScore}% to pass. Unanswered counts as wrong.</li>
        <li>Every answer is saved as you give it, and is there again after a reload.</li>
      </ul>
      <p className="mt-4 text-soft">{copy['exam.clock-starts']}</p>
      <Button className="mt-6" onClick={onStart}>
        {copy['exam.start']}
      </Button>
    </div>
  )
}

/** Only one page may write an attempt: offers to take it over from the other page. */
function OpenElsewhere({ problem, onTakeOver }: { problem: string | null; onTakeOver: () => void }) {
  return (
    <Page width="read">
      <div className="rounded-lg border border-line bg-surface p-6 tablet:p-8">
        <h2 className="text-xl font-semibold">{copy['exam.elsewhere.title']}</h2>
        <p className="mt-3">{copy['exam.elsewhere']}</p>
        <Button className="mt-6" onClick={onTakeOver}>
          {copy['exam.elsewhere.take-over']}
        </Button>
        {problem === null ? null : (
          <Notice tone="bad" className="mt-4">
            {problem}
          </Notice>
        )}
      </div>
    </Page>
  )
}

function Loading() {
  return (
    <div>
      <p className="sr-only">{copy['exam.loading']}</p>
      <Skeleton className="h-5 w-32" />
      <Skeleton className="mt-5 h-20 w-full" />
      {[1, 2, 3, 4].map((line) => (
        <Skeleton key={line} className="mt-3 h-14 w-full" />
      ))}
    </div>
  )
}

function Refused({ facts: { exam, mode }, why }: { facts: Facts; why: 'guest' | 'none' | 'ended' | 'not-a-trial' }) {
  const course = paths.course(exam.courseSlug)
  const here = paths.exam(exam.courseSlug, exam.slug)
  return (
    <ExamFrame title={exam.title} subtitle={exam.courseTitle} backTo={here}>
      <Page width="read">
        <p className="text-lg">{copy[`refused.${why}`]}</p>
        <div className="mt-6 flex flex-wrap gap-3">
          {why === 'guest' ? (
            <ButtonLink
              to={`${paths.login}?redirect=${encodeURIComponent(paths.examMode(exam.courseSlug, exam.slug, mode))}`}
            >
              {copy['result.keep.login']}
            </ButtonLink>
          ) : null}
          <ButtonLink to={course} look={why === 'guest' ? 'secondary' : 'primary'}>
            See the course
          </ButtonLink>
        </div>
      </Page>
    </ExamFrame>
  )
}

function GuestResult({ facts: { exam }, review }: { facts: Facts; review: ReviewView }) {
  return (
    <ExamFrame title={exam.title} subtitle={exam.courseTitle} backTo={paths.exam(exam.courseSlug, exam.slug)}>
      <Page width="exam">
        <h2 className="text-2xl font-semibold">{copy['result.title']}</h2>
        <Review review={review} reported={null} offer={<KeepOffer attemptId={review.id} />} />
      </Page>
    </ExamFrame>
  )
}

function KeepOffer({ attemptId }: { attemptId: string }) {
  const kept = encodeURIComponent(paths.examReview(attemptId))
  return (
    <section
      aria-labelledby="keep-heading"
      className="mt-4 flex flex-wrap items-center justify-between gap-4 rounded-lg border border-accent bg-accent-soft p-6"
      data-print="off"
    >
      <div className="min-w-0 flex-1 basis-72">
        <h3 id="keep-heading" className="text-lg font-semibold">
          {copy['result.keep.title']}
        </h3>
        <p>{copy['result.keep']}</p>
      </div>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={`${paths.register}?redirect=${kept}`}>{copy['result.keep.register']}</ButtonLink>
        <ButtonLink to={`${paths.login}?redirect=${kept}`} look="secondary">
          {copy['result.keep.login']}
        </ButtonLink>
      </div>
    </section>
  )
}
