import { startTransition, useCallback, useEffect, useState } from 'react'
import {
  useActionData,
  useLoaderData,
  useNavigate,
  useRevalidator,
  type ClientLoaderFunctionArgs,
  type MetaFunction,
  type ShouldRevalidateFunction,
} from 'react-router'
import type { ExtraTime } from '../../../lib/extra-time.ts'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { counted } from '../../../lib/text.ts'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page-parts.tsx'
import { copy } from '../attempts.copy.ts'
import type { AttemptView, ReviewView } from '../attempts.schema.ts'
import { minutesWith } from '../attempts.ts'
import type { ExamPostReply } from '../plain-exam/posted-exam-commands.server.ts'
import type { PlainExam } from '../plain-exam/ui/plain-notice.tsx'
import { Review } from '../review/ui/attempt-review.tsx'
import {
  openAttempt,
  openRendered,
  savingOfRendered,
  sendLeftBehind,
  takeAttemptOver,
  type AnswerSaving,
  type OpenedAttempt,
} from '../saving/answer-queue-client.ts'
import { readAttempt } from '../saving/attempt-calls-client.ts'
import type { examAction, examLoader } from './exam-page-endpoints.server.ts'
import { findOpenedAhead, openInPassing } from '../exam-start/opened-exam-client.ts'
import { ExamFrame } from './ui/exam-frame.tsx'
import { OpeningFailed, QuestionLoading } from './ui/exam-loading.tsx'
import { RunningExam } from './ui/running-exam.tsx'
import { useHydrated } from './ui/use-attempt-view.ts'

export { examAction as action, examLoader as loader } from './exam-page-endpoints.server.ts'

/** The wait before the next try to become the writer, or to get the questions. */
const OPEN_AGAIN_MS = 3000

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
type Running = Extract<Loaded, { kind: 'open' }>['running']

/** The address of this page, and of the one that leads to it. */
function addressesOf({ exam: { courseSlug, slug, drawnId }, mode }: Pick<Facts, 'exam' | 'mode'>) {
  return drawnId === null
    ? { backTo: paths.exam(courseSlug, slug), here: paths.examMode(courseSlug, slug, mode) }
    : { backTo: paths.mock(courseSlug), here: paths.runningMock(courseSlug, drawnId) }
}

/**
 * An exam that the start page opens needs no other request: its frame is rendered while the reply is under way. A followed link opens
 * one while its page loads.
 */
export async function clientLoader({ params, request, serverLoader }: ClientLoaderFunctionArgs) {
  const { examSlug = '', mode } = params
  const ahead = findOpenedAhead(examSlug, mode)
  if (ahead !== null) return { ...ahead.known, kind: 'open' as const, running: null, opening: ahead.opening }
  const isStarting = (mode === 'practice' || mode === 'preview') && isFollowed(request)
  const opening = isStarting ? openInPassing(examSlug.toLowerCase(), mode) : null
  const loaded = { ...(await serverLoader<typeof examLoader>()), arrivedAtMs: performance.now() }
  const opened = loaded.kind === 'open' ? await opening : null
  return opened === null ? loaded : { ...loaded, running: null, opened }
}

/** False when a page that is shown loads its data again: its address is the browser's already. A result starts nothing. */
function isFollowed({ url }: Request): boolean {
  const { pathname, search, searchParams } = new URL(url)
  return pathname + search !== location.pathname + location.search && !searchParams.has('attempt')
}

export default function ExamPage() {
  const data = useLoaderData<typeof examLoader | typeof clientLoader>()
  if (data.kind === 'result') return <GuestResult facts={data} review={data.review} />
  if (data.kind === 'refused') return <Refused facts={data} why={data.why} />
  const { running } = data
  return (
    <ExamScreen
      key={`${data.exam.drawnId ?? data.exam.slug} ${data.mode}`}
      facts={data}
      opened={'opened' in data ? data.opened : null}
      opening={'opening' in data ? data.opening : null}
      running={running}
      arrivedAtMs={'arrivedAtMs' in data ? data.arrivedAtMs : undefined}
    />
  )
}

/** Starts or resumes an attempt. A timed attempt starts only after a press on a button, all others at once. */
function ExamScreen(props: {
  facts: Facts
  opened: OpenedAttempt | null
  /** What the start page has begun to open; it becomes null where that fails. */
  opening: Promise<OpenedAttempt | null> | null
  running: Running
  arrivedAtMs: number | undefined
}) {
  const { exam, isGuest } = props.facts
  const navigate = useNavigate()
  const isHydrated = useHydrated()
  const { opened, plain, problem, isStarted, start, takeOver } = useOpenedAttempt(props)
  const attemptId = opened?.attempt.id ?? ''
  const handleFinished = useCallback(() => {
    if (isGuest) void navigate(`?attempt=${attemptId}`, { replace: true })
    else void navigate(paths.examReview(attemptId), { replace: true })
  }, [isGuest, attemptId, navigate])

  const { backTo } = addressesOf(props.facts)
  if (opened?.kind === 'here')
    return (
      <RunningExam
        key={opened.attempt.clock.now}
        attempt={opened.attempt}
        saving={opened.saving}
        plain={plain}
        mayReport={!isGuest}
        backTo={backTo}
        problem={problem}
        onTakeBack={() => takeOver(opened.saving)}
        onFinished={handleFinished}
      />
    )
  const isBefore = !isStarted || !isHydrated
  return (
    <ExamFrame title={exam.title} subtitle={exam.courseTitle} backTo={backTo}>
      {opened === null ? (
        <Page width="read">
          {problem === null ? null : <OpeningFailed problem={problem} onRetry={start} />}
          {plain.sentence === null ? null : <Notice tone="flag">{plain.sentence}</Notice>}
          {isBefore ? <BeforeTheStart facts={props.facts} onStart={start} /> : null}
          {!isBefore && problem === null ? <QuestionLoading /> : null}
        </Page>
      ) : (
        <OpenElsewhere problem={problem} onTakeOver={() => takeOver(opened.before)} />
      )}
    </ExamFrame>
  )
}

/** The attempt as this page has it. `before` holds what was pressed until another page turned out to be the writer. */
type Opened = OpenedAttempt & { readonly before?: AnswerSaving }

/**
 * The attempt that came with the page, or that this page opens: at once except in a timed exam, and again with each `start` after a
 * failure.
 */
function useOpenedAttempt({ facts: { exam, mode }, running, ...given }: Parameters<typeof ExamScreen>[0]) {
  const acted = useActionData<typeof examAction>()
  const [rendered] = useState(() => renderedAttempt(running, acted, given.arrivedAtMs))
  const [opened, setOpened] = useState<Opened | null>(given.opened ?? rendered?.opened ?? null)
  const [problem, setProblem] = useState<string | null>(null)
  const [startCount, setStartCount] = useState(opened === null && mode !== 'timed' ? 1 : 0)
  const [openedAhead] = useState(given.opening)
  const { revalidate } = useRevalidator()
  const examSlug = exam.slug
  useOpeningOfRendered(rendered, setOpened, setProblem)
  useFollowingQuestions(opened, setOpened, setProblem)
  useEffect(() => {
    // The attempt is created in an effect, because loading an address must not create one.
    if (startCount === 0) return
    const open = async () => (startCount === 1 && (await openedAhead)) || openAttempt(examSlug, mode)
    open().then(setOpened, (error: unknown) => {
      setProblem(messageOf(error))
      // Access or the session may have ended: the server's page says how to go on.
      if (error instanceof CallFailed && isRefusal(error)) void revalidate()
    })
  }, [startCount, examSlug, mode, openedAhead, revalidate])
  const attemptId = opened?.attempt.id
  useEffect(() => {
    // Answers to other exams that closed pages could not send.
    if (attemptId !== undefined) void sendLeftBehind(attemptId)
  }, [attemptId])
  // What the server replied to a form holds for the page that it rendered, not for one that this page opened since.
  const reply = opened === null || opened === rendered?.opened ? acted : undefined
  const { here: action } = addressesOf({ exam, mode })
  return {
    opened,
    plain: plainExam(action, reply, rendered?.opened === opened ? rendered : null),
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

const isRefusal = ({ status }: CallFailed) => status === 401 || status === 403

type Rendered = ReturnType<typeof renderedAttempt>

function renderedAttempt(running: Running, acted: ExamPostReply | undefined, arrivedAtMs: number | undefined) {
  if (running === null) return null
  const attempt = JSON.parse(running.attemptJson) as AttemptView
  const formWriter = acted?.formWriter ?? running.formWriter
  const saving = savingOfRendered({ attempt, formWriter, arrivedAtMs })
  const place = acted?.place ?? running.place
  const questionId = attempt.questions[place ?? 0]?.id
  const unsaved = acted?.unsaved ?? null
  if (unsaved !== null && questionId !== undefined) saving.change(questionId, { answer: unsaved })
  return { opened: { kind: 'here' as const, attempt, saving, whole: null }, place, formWriter }
}

function plainExam(action: string, acted: ExamPostReply | undefined, rendered: Rendered): PlainExam {
  const { shows = 'question', sentence = null, isElsewhere = false } = acted ?? {}
  return { action, writer: rendered?.formWriter ?? null, place: rendered?.place ?? null, shows, sentence, isElsewhere }
}

/** Adds the questions that arrive after the first one. Those that the network lost are asked for again. */
function useFollowingQuestions(
  opened: Opened | null,
  setOpened: (opened: Opened) => void,
  setProblem: (problem: string | null) => void,
) {
  useEffect(() => {
    // The reply goes on after the page has begun with its first question.
    if (opened?.kind !== 'here' || opened.whole === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const add = async (whole: Promise<AttemptView>) => {
      try {
        const { questions } = await whole
        if (isGone) return
        setProblem(null)
        startTransition(() => setOpened({ ...opened, attempt: { ...opened.attempt, questions }, whole: null }))
      } catch (error) {
        if (isGone) return
        setProblem(messageOf(error))
        timer = setTimeout(() => void add(readAttempt(opened.attempt.id)), OPEN_AGAIN_MS)
      }
    }
    void add(opened.whole)
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [opened, setOpened, setProblem])
}

/** Makes this page the writer of the attempt that came with it. Without a network it tries again. */
function useOpeningOfRendered(
  rendered: Rendered,
  setOpened: (opened: Opened) => void,
  setProblem: (problem: string | null) => void,
) {
  useEffect(() => {
    // The names of pages and the answers left on this device are in the browser only.
    if (rendered === null) return
    const { opened, formWriter } = rendered
    const { attempt, saving } = opened
    let timer: ReturnType<typeof setTimeout> | undefined
    const open = async () => {
      try {
        const where = await openRendered({ attempt, formWriter }, saving)
        setProblem(null)
        if (where === 'elsewhere') setOpened({ kind: 'elsewhere', attempt, before: saving })
      } catch (error) {
        setProblem(messageOf(error))
        timer = setTimeout(() => void open(), OPEN_AGAIN_MS)
      }
    }
    void open()
    return () => clearTimeout(timer)
  }, [rendered, setOpened, setProblem])
}

function timeAllowed(usual: number, extraTime: ExtraTime): string {
  const minutes = minutesWith(extraTime, usual)
  if (minutes === null) return copy['start.untimed']
  const more = extraTime === 'none' ? '' : ` ${fill(copy['start.extra-time'], { factor: extraTime, usual })}`
  return `${counted(minutes, 'minute')}.${more}`
}

function BeforeTheStart({ facts: { exam, mode, extraTime }, onStart }: { facts: Facts; onStart: () => void }) {
  return (
    <div className="rounded-lg border border-line bg-surface p-6 tablet:p-8">
      <h2 className="text-xl font-semibold">{copy[`mode.${mode}`]}</h2>
      {mode === 'timed' ? (
        <BeforeTheClock exam={exam} extraTime={extraTime} />
      ) : (
        <p className="mt-3 text-soft">{copy[`mode.${mode}.about`]}</p>
      )}
      <form
        method="post"
        action={paths.examMode(exam.courseSlug, exam.slug, mode)}
        className="mt-6"
        onSubmit={(event) => {
          event.preventDefault()
          onStart()
        }}
      >
        <Button type="submit">{copy['exam.start']}</Button>
      </form>
    </div>
  )
}

function BeforeTheClock({ exam, extraTime }: Pick<Facts, 'exam' | 'extraTime'>) {
  return (
    <>
      <ul className="nums mt-4 space-y-1.5">
        <li>{counted(exam.questionCount, 'question')}, one at a time; you may go back and flag.</li>
        <li>{timeAllowed(exam.timeLimitMinutes, extraTime)}</li>
        <li>{exam.passingScore}% to pass. Unanswered counts as wrong.</li>
        <li>Every answer is saved as you give it, and is there again after a reload.</li>
      </ul>
      <p className="mt-4 text-soft">{copy['exam.clock-starts']}</p>
    </>
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

function Refused({ facts: { exam, mode }, why }: { facts: Facts; why: 'guest' | 'none' | 'ended' | 'not-a-trial' }) {
  const course = paths.course(exam.courseSlug)
  const { backTo, here } = addressesOf({ exam, mode })
  return (
    <ExamFrame title={exam.title} subtitle={exam.courseTitle} backTo={backTo}>
      <Page width="read">
        <p className="text-lg">{copy[`refused.${why}`]}</p>
        <div className="mt-6 flex flex-wrap gap-3">
          {why === 'guest' ? (
            <ButtonLink to={`${paths.login}?redirect=${encodeURIComponent(here)}`}>
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
