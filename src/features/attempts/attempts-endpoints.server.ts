import { randomUUID } from 'node:crypto'
import { redirect } from 'react-router'
import type { AttemptId, GuestId } from '../../lib/ids.ts'
import { PAGE_END_HEADER } from '../../lib/page-end.ts'
import { paths } from '../../lib/paths.ts'
import { after, DAY_MS } from '../../lib/time.ts'
import { auditView } from '../../platform/audit-log/audit-log-commands.server.ts'
import { requireUser, type RequestContext } from '../../platform/http/request-context.server.ts'
import { endpoint } from '../../platform/http/endpoint.server.ts'
import { pageLoader, requireUserForPage } from '../../platform/http/page-loader.server.ts'
import { cookieHeader, sign } from '../../platform/http/signed-cookie.server.ts'
import { findAccess } from '../access/access-queries.server.ts'
import { examFacts, findExam, type ExamFacts } from '../catalogue/catalogue-queries.server.ts'
import { fail as failCatalogue } from '../catalogue/catalogue.schema.ts'
import { listAttemptsAtExam } from './review/attempt-history-queries.server.ts'
import { getReview } from './review/review-queries.server.ts'
import {
  clockOf,
  findExtraTime,
  findOpenAttempt,
  getAttempt,
  getAttemptView,
  getOwnAttempt,
} from './attempts-queries.server.ts'
import { admit, findKeyAccess, mayContinue, requireQuestions, takerOf } from './attempt-access-queries.server.ts'
import { findReported } from './reports/question-reports-queries.server.ts'
import { isOverdue, trialOf } from './attempts.ts'
import { saveAnswer } from './saving/save-answer-commands.server.ts'
import {
  AnswerPath,
  AttemptClock,
  AttemptPath,
  type AttemptSummary,
  AttemptView,
  CheckAnswer,
  CheckedAnswer,
  fail,
  FinishAttempt,
  FinishedAttempt,
  Mode,
  MODES,
  ReviewView,
  SaveAnswer,
  SavedAnswer,
  StartAttempt,
  TakeOver,
  type ExamAccess,
  type Taker,
} from './attempts.schema.ts'
import { settleAttempt } from './close-attempts-commands.server.ts'
import { checkAnswer, claimAttempt, finishAttempt, startAttempt, takeOver } from './attempts-commands.server.ts'

export const GUEST_COOKIE = 'altocert_guest'
export const GUEST_SECONDS = 365 * 24 * 3600
/** Room for the answers of a thousand questions. */
const FINISH_LIMIT_BYTES = 1024 * 1024

export function attemptsApi({ secret }: { readonly secret: string }) {
  return [
    startEndpoint(createGuestMaker(secret)),
    ...openAttemptEndpoints(),
    ...answerEndpoints(),
    ...resultEndpoints(),
  ]
}

/** Makes a new guest and sets their signed cookie. */
function createGuestMaker(secret: string) {
  return async (context: RequestContext): Promise<Taker> => {
    await context.limits.claim('guest', context)
    const guestId = randomUUID() as GuestId
    context.replyHeaders.append(
      'set-cookie',
      cookieHeader(GUEST_COOKIE, sign(guestId, 'guest', secret), {
        maxAgeSeconds: GUEST_SECONDS,
        isSecure: context.appUrl.startsWith('https:'),
      }),
    )
    return { kind: 'guest', guestId }
  }
}

function startEndpoint(makeGuest: (context: RequestContext) => Promise<Taker>) {
  return endpoint({
    method: 'POST',
    path: '/api/attempts',
    who: 'anyone',
    about: 'Starts an attempt at an exam, or resumes the open one. Guests may only preview free-trial exams.',
    body: StartAttempt,
    reply: AttemptView,
    async handle({ body }, context) {
      const { db } = context
      const now = context.clock.now()
      const exam = await findExam(db, body.examSlug)
      if (exam === null) throw failCatalogue('exam.not-found')
      if (body.mode !== 'preview') requireUser(context)
      const known = takerOf(context)
      const running =
        known === null ? null : await findOpenAttempt(db, { taker: known, familyId: exam.familyId, mode: body.mode })
      if (running !== null && mayContinue(running, now))
        return getAttemptView(db, await claimAttempt(db, running, body.writer), now)
      const admission = await admit(context, exam, body.mode)
      const taker = known ?? (await makeGuest(context))
      const attemptId = await startAttempt(db, { exam, admission, taker, now })
      const attempt = await getOwnAttempt(db, attemptId, taker)
      return getAttemptView(db, await claimAttempt(db, attempt, body.writer), now)
    },
  })
}

function openAttemptEndpoints() {
  return [
    endpoint({
      method: 'GET',
      path: '/api/attempts/:attemptId',
      who: 'anyone',
      about: "Returns the caller's attempt with its saved answers. Answer keys that are not due are left out.",
      params: AttemptPath,
      reply: AttemptView,
      async handle({ params }, context) {
        const { db } = context
        const now = context.clock.now()
        const attempt = await getOwnAttempt(db, params.attemptId, takerOf(context))
        if (attempt.state === 'open') await requireQuestions(context, attempt)
        const settled = await settleAttempt(db, attempt, now)
        return getAttemptView(db, settled, now, (await findKeyAccess(context, settled)).refusal)
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/attempts/:attemptId/clock',
      who: 'anyone',
      about: "Returns the time left in the caller's attempt, for a page that was suspended.",
      params: AttemptPath,
      reply: AttemptClock,
      async handle({ params }, context) {
        const now = context.clock.now()
        const own = await getOwnAttempt(context.db, params.attemptId, takerOf(context))
        const attempt = await settleAttempt(context.db, own, now)
        return { state: attempt.state, writer: attempt.writer, clock: clockOf(attempt, now) }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/attempts/:attemptId/writer',
      who: 'anyone',
      about: 'Takes over an open attempt for the given page; other pages can no longer change it.',
      params: AttemptPath,
      body: TakeOver,
      reply: AttemptView,
      async handle({ params, body }, context) {
        const { db } = context
        const now = context.clock.now()
        const taker = takerOf(context)
        const own = await getOwnAttempt(db, params.attemptId, taker)
        if (own.state === 'open') await requireQuestions(context, own)
        return getAttemptView(db, await takeOver(db, { attemptId: own.id, taker, writer: body.writer, now }), now)
      },
    }),
  ]
}

function answerEndpoints() {
  return [
    endpoint({
      method: 'PUT',
      path: '/api/attempts/:attemptId/answers/:questionId',
      who: 'anyone',
      about: 'Saves an answer. Idempotent: an older write is acknowledged and changes nothing.',
      params: AnswerPath,
      body: SaveAnswer,
      reply: SavedAnswer,
      async handle({ params, body }, context) {
        const now = context.clock.now()
        const { seq, writer, deadlineAt } = await saveAnswer(context.db, {
          attemptId: params.attemptId as AttemptId,
          questionId: params.questionId,
          taker: takerOf(context),
          answer: body,
          now,
        })
        return { seq, writer, clock: clockOf({ deadlineAt, state: 'open' }, now) }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/attempts/:attemptId/answers/:questionId/check',
      who: 'anyone',
      about: 'Makes the answer to a question final and returns its answer key. Practice and preview only.',
      params: AnswerPath,
      body: CheckAnswer,
      reply: CheckedAnswer,
      async handle({ params, body }, context) {
        const taker = takerOf(context)
        const own = await getOwnAttempt(context.db, params.attemptId, taker)
        // Only those who may see the questions get answer keys.
        if (own.state === 'open') await requireQuestions(context, own)
        return checkAnswer(context.db, {
          attemptId: own.id,
          questionId: params.questionId,
          taker,
          writer: body.writer,
          answer: body.answer ?? null,
          now: context.clock.now(),
        })
      },
    }),
  ]
}

function resultEndpoints() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/attempts/:attemptId/finish',
      who: 'anyone',
      about: 'Submits an attempt with its unsaved answers and grades it. Idempotent.',
      params: AttemptPath,
      body: FinishAttempt,
      bodyLimitBytes: FINISH_LIMIT_BYTES,
      reply: FinishedAttempt,
      handle: async ({ params, body }, context) =>
        finishAttempt(context.db, {
          attemptId: params.attemptId as AttemptId,
          taker: takerOf(context),
          writer: body.writer,
          answers: body.answers,
          activeMs: body.activeMs,
          now: context.clock.now(),
        }),
    }),
    endpoint({
      method: 'GET',
      path: '/api/attempts/:attemptId/review',
      who: 'anyone',
      about:
        "Returns the caller's finished attempt, with answer keys and explanations while access lasts. Admins may read every attempt, which adds an audit entry.",
      params: AttemptPath,
      reply: ReviewView,
      handle: async ({ params }, context) => reviewFor(context, params.attemptId),
    }),
  ]
}

async function reviewFor(context: RequestContext, attemptId: string): Promise<ReviewView> {
  const { db, user } = context
  const now = context.clock.now()
  if (user?.role === 'admin') {
    const attempt = await settleAttempt(db, await getAttempt(db, attemptId), now)
    const isOwn = attempt.owner.kind === 'person' && attempt.owner.userId === user.id
    const review = await getReview(db, attempt, null)
    if (!isOwn) await auditView(context, { actorId: user.id, action: 'attempt.read', table: 'attempts', id: attemptId })
    limitStoring(context, after(now, DAY_MS))
    return review
  }
  const own = await settleAttempt(db, await getOwnAttempt(db, attemptId, takerOf(context)), now)
  const access = await findKeyAccess(context, own)
  if (access.refusal === null && access.until !== null) limitStoring(context, access.until)
  return getReview(db, own, access.refusal)
}

/** A browser that stores this page for offline use drops it at this time. */
function limitStoring({ replyHeaders }: RequestContext, until: Date): void {
  replyHeaders.set(PAGE_END_HEADER, until.toISOString())
}

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
  }
}

/** The facts of an exam, the visitor's access to it, and their earlier attempts. */
export const examStartLoader = pageLoader(async ({ context, params, url }) => {
  const exam = await getExamOfPage(context, params)
  const mode = url.searchParams.get('mode')
  if (MODES.some((one) => one === mode)) throw redirect(`${url.pathname}/${mode}`)
  const taker = takerOf(context)
  const [access, attempts, extraTime] = await Promise.all([
    accessOf(context, exam),
    taker === null ? [] : listAttemptsAtExam(context.db, { taker, familyId: exam.familyId }),
    taker?.kind === 'person' ? findExtraTime(context.db, taker.userId) : ('none' as const),
  ])
  const now = context.clock.now().getTime()
  const isPast = ({ deadlineAt }: AttemptSummary) => deadlineAt !== null && Date.parse(deadlineAt) <= now
  // Without the time itself, the page stays the same until something happens, and is not rendered again.
  const overdueIds = attempts.filter(isPast).map(({ id }) => id)
  return { exam: factsForPage(exam), access, attempts, extraTime, overdueIds }
})

/** Whether this visitor may take the exam in this mode, and whether an attempt is running. Loading the page starts nothing. */
export const examLoader = pageLoader(async ({ context, params, url }) => {
  const mode = Mode.safeParse(params['mode'])
  if (!mode.success) throw failCatalogue('exam.not-found')
  const exam = await getExamOfPage(context, params)
  const { user } = context
  const extraTime = user === null ? ('none' as const) : await findExtraTime(context.db, user.id)
  const facts = { exam: factsForPage(exam), mode: mode.data, isGuest: user === null, extraTime }
  const shown = await findShownResult(context, url)
  if (shown !== null) return { ...facts, kind: 'result' as const, review: shown }
  const now = context.clock.now()
  const taker = takerOf(context)
  const open =
    taker === null ? null : await findOpenAttempt(context.db, { taker, familyId: exam.familyId, mode: mode.data })
  const isRunning = open !== null && !isOverdue(open.deadlineAt, now)
  if (open === null || !mayContinue(open, now)) {
    const why = await refusalOf(context, exam, mode.data)
    if (why !== null) return { ...facts, kind: 'refused' as const, why }
  }
  return { ...facts, kind: 'open' as const, isRunning }
})

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

export const examReviewLoader = pageLoader(async ({ context, params, url }) => {
  const user = requireUserForPage(context, url)
  const path = AttemptPath.safeParse(params)
  if (!path.success) throw fail('attempt.not-found')
  const { attemptId } = path.data
  const [review, reported] = await Promise.all([
    reviewFor(context, attemptId),
    findReported(context.db, { attemptId, userId: user.id }),
  ])
  return { review, reported }
})
