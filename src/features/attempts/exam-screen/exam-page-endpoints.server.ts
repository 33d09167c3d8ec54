import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { z } from 'zod'
import { Failure } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { pageLoader, refusedPage, requireUserForPage } from '../../../platform/http/page-loader.server.ts'
import type { RequestContext } from '../../../platform/http/request-context.server.ts'
import { readCookie } from '../../../platform/http/signed-cookie.server.ts'
import { isOpenedByUser } from '../../../platform/http/opened-page.server.ts'
import { findAccess, shownAccess } from '../../access/access-queries.server.ts'
import { examFacts, type ExamFacts } from '../../catalogue/catalogue-queries.server.ts'
import { fail as failCatalogue } from '../../catalogue/catalogue.schema.ts'
import { mayContinue, takerOf } from '../attempt-access-queries.server.ts'
import { reviewFor } from '../attempts-endpoints.server.ts'
import {
  findExtraTime,
  findOpenAttempt,
  getAttemptView,
  getOwnAttempt,
  getTitles,
  type AttemptRecord,
} from '../attempts-queries.server.ts'
import {
  AttemptPath,
  fail,
  Mode,
  MODES,
  type AttemptsAtExam,
  type AttemptSummary,
  type ExamAccess,
  type ReviewView,
} from '../attempts.schema.ts'
import { isOverdue, trialOf } from '../attempts.ts'
import { settleAttempt } from '../close-attempts-commands.server.ts'
import { answerExamPost, newFormWriter, startByForm } from '../plain-exam/posted-exam-commands.server.ts'
import { readPost } from '../plain-exam/posted-exam.ts'
import { readShownExam, SHOWN_EXAM_COOKIE } from '../plain-exam/shown-exam.ts'
import { attemptsOfUser, listAttemptsAtExam, type OwnAttemptsAtExam } from '../review/attempt-history-queries.server.ts'

async function getExamOfPage(
  context: RequestContext,
  params: Readonly<Record<string, string | undefined>>,
): Promise<ExamFacts> {
  const { examSlug = '', courseSlug } = params
  const course = courseSlug === undefined ? [] : [courseSlug.toLowerCase()]
  const exam = await context.cachedQueries.get(examFacts, context.db, examSlug.toLowerCase(), ...course)
  if (exam === null) throw failCatalogue('exam.not-found')
  return exam
}

/** What the start page says about the access; starting an exam asks the database again. */
async function accessOfPage(context: RequestContext, exam: ExamFacts): Promise<ExamAccess> {
  const { user } = context
  if (user === null) return 'guest'
  return user.role === 'admin' ? 'admin' : (await shownAccess(context, user.id, exam.courseId)).kind
}

/** The visitor's earlier attempts; those of users come from the cache, with one statement. */
async function ownAttempts(context: RequestContext, { familyId }: ExamFacts, page: number): Promise<OwnAttemptsAtExam> {
  const taker = takerOf(context)
  const { cachedQueries, db } = context
  if (taker === null) return { attempts: NO_ATTEMPTS, extraTime: 'none' }
  if (taker.kind === 'person') return cachedQueries.get(attemptsOfUser, db, taker.userId, familyId, String(page))
  return { attempts: await listAttemptsAtExam(db, { taker, familyId, page }), extraTime: 'none' }
}

async function accessOf(context: RequestContext, exam: ExamFacts): Promise<ExamAccess> {
  const { user } = context
  if (user === null) return 'guest'
  if (user.role === 'admin') return 'admin'
  return (await findAccess(context.db, user.id, exam.courseId, context.clock.now())).kind
}

function factsForPage(exam: ExamFacts) {
  const { slug, title, questionCount, timeLimitMinutes, passingScore, isFreeTrial, courseSlug, courseTitle } = exam
  const hasPartialCredit = exam.scoringPolicy === 'partial'
  return {
    slug,
    title,
    questionCount,
    timeLimitMinutes,
    passingScore,
    hasPartialCredit,
    isFreeTrial,
    courseSlug,
    courseTitle,
    /** The attempt, for an exam that was drawn from the bank: it has no start page of its own. */
    drawnId: null as string | null,
  }
}

const NO_ATTEMPTS: AttemptsAtExam = { open: [], finished: [], finishedCount: 0, page: 1 }
const HistoryPage = z.coerce.number().int().min(1).max(100_000).catch(1)

/** The facts of an exam, the visitor's access to it, and their earlier attempts. */
export const examStartLoader = pageLoader(async ({ context, params, url }) => {
  const exam = await getExamOfPage(context, params)
  const mode = url.searchParams.get('mode')
  if (MODES.some((one) => one === mode)) throw redirect(`${url.pathname}/${mode}`)
  const page = HistoryPage.parse(url.searchParams.get('page'))
  const [access, { attempts, extraTime }] = await Promise.all([
    accessOfPage(context, exam),
    ownAttempts(context, exam, page),
  ])
  const now = context.clock.now().getTime()
  const isPast = ({ deadlineAt }: AttemptSummary) => deadlineAt !== null && Date.parse(deadlineAt) <= now
  // Without the time itself, the page stays the same until something happens, and is not rendered again.
  const overdueIds = attempts.open.filter(isPast).map(({ id }) => id)
  return { exam: factsForPage(exam), access, attempts, extraTime, overdueIds }
})

type Page = ActionFunctionArgs['context']
type PageParams = Parameters<Parameters<typeof pageLoader>[0]>[0]

/**
 * Whether this visitor may take the exam in this mode, and their open attempt, so that its question is in the page. Somebody who
 * opens the page starts the exam, except a timed one, which waits for a press.
 */
export const examLoader = (args: LoaderFunctionArgs) =>
  pageLoader((page) =>
    page.params['attemptId'] === undefined
      ? loadExam(args.context, page)
      : loadDrawnExam(page, page.params['attemptId']),
  )(args)

/** An open drawn exam of the user; a finished one leads to its review. */
async function loadDrawnExam({ context, params, url }: PageParams, attemptId: string) {
  const user = requireUserForPage(context, url)
  const attempt = await getDrawnAttempt(context, attemptId)
  if (attempt.state === 'finished') throw redirect(paths.examReview(attempt.id))
  if (attempt.drawn === null) throw fail('attempt.not-found')
  const { names } = await getTitles(context.db, attempt)
  const { courseSlug, courseTitle, examTitle: title } = names
  if (courseSlug !== params['courseSlug']) throw redirect(paths.runningMock(courseSlug, attempt.id))
  const { passingScore, scoringPolicy, extraTime, timeLimitMinutes } = attempt
  const facts = {
    exam: {
      slug: '',
      title,
      questionCount: attempt.layout.length,
      timeLimitMinutes: timeLimitMinutes ?? 0,
      passingScore,
      hasPartialCredit: scoringPolicy === 'partial',
      isFreeTrial: false,
      courseSlug,
      courseTitle,
      drawnId: attempt.id as string | null,
    },
    mode: attempt.mode,
    isGuest: false,
    extraTime,
  }
  if (!mayContinue(attempt, context.clock.now()) && user.role !== 'admin') {
    const { kind } = await findAccess(context.db, user.id, attempt.courseId, context.clock.now())
    if (kind !== 'running') return { ...facts, kind: 'refused' as const, why: kind }
  }
  return { ...facts, kind: 'open' as const, running: await runningExam(context, attempt) }
}

/** The user's attempt of this address, closed if its time is over. @throws Failure attempt.not-found, attempt.signed-out */
async function getDrawnAttempt(context: RequestContext, attemptId: string): Promise<AttemptRecord> {
  const path = AttemptPath.safeParse({ attemptId })
  if (!path.success) throw fail('attempt.not-found')
  const own = await getOwnAttempt(context.db, path.data.attemptId, takerOf(context))
  return settleAttempt(context.db, own, context.clock.now())
}

async function loadExam(page: Page, { context, params, url }: PageParams) {
  const { exam, mode } = await readExamPath(context, params)
  const { user } = context
  const extraTime = user === null ? ('none' as const) : await findExtraTime(context.db, user.id)
  const facts = { exam: factsForPage(exam), mode, isGuest: user === null, extraTime }
  const shown = await findShownResult(context, url)
  if (shown !== null) return { ...facts, kind: 'result' as const, review: shown }
  const now = context.clock.now()
  const taker = takerOf(context)
  const open = taker === null ? null : await findOpenAttempt(context.db, { taker, familyId: exam.familyId, mode })
  if (open === null || !mayContinue(open, now)) {
    const why = await refusalOf(context, exam, mode)
    if (why !== null) return { ...facts, kind: 'refused' as const, why }
  }
  if (open === null) {
    const isStarting = mode !== 'timed' && isOpenedByUser(context.request)
    return { ...facts, kind: 'open' as const, running: isStarting ? await startedExam(page, exam, mode) : null }
  }
  const isRunning = !isOverdue(open.deadlineAt, now)
  return { ...facts, kind: 'open' as const, running: isRunning ? await runningExam(context, open) : null }
}

/** Starts an exam with its page, in one round trip. Where that fails, the page's button tries again and says why. */
async function startedExam(page: Page, exam: ExamFacts, mode: Mode) {
  const context = page.request
  try {
    const { formWriter, place } = await startByForm(page, { examSlug: exam.slug, mode })
    const taker = takerOf(context)
    const open = taker === null ? null : await findOpenAttempt(context.db, { taker, familyId: exam.familyId, mode })
    return open === null ? null : { ...(await runningExam(context, open)), formWriter, place }
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/** An open attempt, the question that this browser showed last, and the name under which the forms of this page write it. */
async function runningExam(context: RequestContext, open: AttemptRecord) {
  const attempt = await getAttemptView(context.db, open, context.clock.now())
  const shown = readShownExam(readCookie(context.request.headers.get('cookie'), SHOWN_EXAM_COOKIE))
  const isShown = shown !== null && shown.attemptId === attempt.id && shown.place < attempt.questions.length
  // A page of another browser may be the writer; then the forms of this page ask before they change anything.
  const ownWriter = isShown && shown.writer === attempt.writer ? attempt.writer : null
  return {
    // As one text: the framework would send a number for each value, which makes a compressed exam twice as long.
    attemptJson: JSON.stringify(attempt),
    place: isShown ? shown.place : null,
    formWriter: attempt.writer === null ? newFormWriter() : ownWriter,
  }
}

/** Starts an exam, or takes its forms, which work without scripts: the reply is the page with the question to go on with. */
export async function examAction({ context: page, params, request }: ActionFunctionArgs) {
  const context = page.request
  try {
    const post = readPost(new URLSearchParams(await request.text()))
    if (params['attemptId'] !== undefined) {
      const attempt = await getDrawnAttempt(context, params['attemptId'])
      return await answerExamPost(context, { found: attempt.state === 'open' ? attempt : null, post })
    }
    const { exam, mode } = await readExamPath(context, params)
    if (post.act.kind === 'start') return await startByForm(page, { examSlug: exam.slug, mode })
    const taker = takerOf(context)
    const found = taker === null ? null : await findOpenAttempt(context.db, { taker, familyId: exam.familyId, mode })
    return await answerExamPost(context, { found, post })
  } catch (error) {
    throw refusedPage(context, error)
  }
}

async function readExamPath(context: RequestContext, params: Readonly<Record<string, string | undefined>>) {
  const mode = Mode.safeParse(params['mode'])
  if (!mode.success) throw failCatalogue('exam.not-found')
  return { exam: await getExamOfPage(context, params), mode: mode.data }
}

async function refusalOf(context: RequestContext, exam: ExamFacts, mode: Mode) {
  if (mode === 'preview') return trialOf(exam) === null ? ('not-a-trial' as const) : null
  const access = await accessOf(context, exam)
  return access === 'admin' || access === 'running' ? null : access
}

/** A guest's result is shown at the exam's address, so that it survives a reload. */
async function findShownResult(context: RequestContext, url: URL): Promise<ReviewView | null> {
  const attempt = AttemptPath.safeParse({ attemptId: url.searchParams.get('attempt') })
  if (!attempt.success) return null
  if (context.user !== null) throw redirect(paths.examReview(attempt.data.attemptId))
  return reviewFor(context, attempt.data.attemptId)
}
