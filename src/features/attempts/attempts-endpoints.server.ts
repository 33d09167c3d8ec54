import type { AttemptId } from '../../lib/ids.ts'
import { PAGE_END_HEADER } from '../../lib/page-end.ts'
import { after, DAY_MS } from '../../lib/time.ts'
import { auditView } from '../../platform/audit-log/audit-log-commands.server.ts'
import { requireUser, type RequestContext } from '../../platform/http/request-context.server.ts'
import { endpoint } from '../../platform/http/endpoint.server.ts'
import { pageLoader, requireUserForPage } from '../../platform/http/page-loader.server.ts'
import { sheetSummaries } from '../catalogue/study-sheets/study-sheets-queries.server.ts'
import { courseDetail, findExam } from '../catalogue/catalogue-queries.server.ts'
import { fail as failCatalogue } from '../catalogue/catalogue.schema.ts'
import { getReview } from './review/review-queries.server.ts'
import { clockOf, findOpenAttempt, getAttempt, getAttemptView, getOwnAttempt } from './attempts-queries.server.ts'
import { admit, findKeyAccess, mayContinue, requireQuestions, takerOf } from './attempt-access-queries.server.ts'
import { findReported } from './reports/question-reports-queries.server.ts'
import { saveAnswer } from './saving/save-answer-commands.server.ts'
import {
  AnswerPath,
  AttemptClock,
  AttemptPath,
  AttemptView,
  CheckAnswer,
  CheckedAnswer,
  fail,
  FinishAttempt,
  FinishedAttempt,
  ReviewView,
  SaveAnswer,
  SavedAnswer,
  StartAttempt,
  TakeOver,
  type Taker,
} from './attempts.schema.ts'
import { settleAttempt } from './close-attempts-commands.server.ts'
import { createGuestMaker } from './new-guest-commands.server.ts'
import { checkAnswer, claimAttempt, finishAttempt, startAttempt, takeOver } from './attempts-commands.server.ts'

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

function startEndpoint(makeGuest: (context: RequestContext) => Promise<Taker>) {
  return endpoint({
    method: 'POST',
    path: '/api/attempts',
    who: 'anyone',
    about: 'Starts an attempt at an exam, or resumes the open one. Guests may only preview free-trial exams.',
    body: StartAttempt,
    reply: AttemptView,
    inParts: ({ questions, ...attempt }) => [
      { ...attempt, questions: questions.slice(0, 1), questionCount: questions.length },
      { questions },
    ],
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

export async function reviewFor(context: RequestContext, attemptId: string): Promise<ReviewView> {
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

export const examReviewLoader = pageLoader(async ({ context, params, url }) => {
  const user = requireUserForPage(context, url)
  const path = AttemptPath.safeParse(params)
  if (!path.success) throw fail('attempt.not-found')
  const { attemptId } = path.data
  const [review, reported] = await Promise.all([
    reviewFor(context, attemptId),
    findReported(context.db, { attemptId, userId: user.id }),
  ])
  const course = await context.cachedQueries.get(courseDetail, context.db, review.courseSlug)
  const sheets = course === null ? [] : await context.cachedQueries.get(sheetSummaries, context.db, course.id)
  return { review, reported, sheets }
})
