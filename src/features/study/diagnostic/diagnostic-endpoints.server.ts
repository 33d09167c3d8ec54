import { redirect } from 'react-router'
import type { CourseId } from '../../../lib/ids.ts'
import { paths } from '../../../lib/paths.ts'
import { endpoint } from '../../../platform/http/endpoint.server.ts'
import { callsOf, pageAction } from '../../../platform/http/page-action.server.ts'
import { pageLoader } from '../../../platform/http/page-loader.server.ts'
import { requireUser, type RequestContext } from '../../../platform/http/request-context.server.ts'
import { askAccess, requireAccess } from '../../access/access-queries.server.ts'
import { takerOf } from '../../attempts/attempt-access-queries.server.ts'
import type { Taker } from '../../attempts/attempts.schema.ts'
import { createGuestMaker } from '../../attempts/new-guest-commands.server.ts'
import { courseDetail, findCourse } from '../../catalogue/catalogue-queries.server.ts'
import { fail as failCatalogue, type CourseView } from '../../catalogue/catalogue.schema.ts'
import { answerFromFields, forTaking } from '../../questions/types/grading-registry.ts'
import { answerDiagnostic, endDiagnostic, startDiagnostic } from './diagnostic-commands.server.ts'
import {
  findLatestDiagnostic,
  getDiagnosticBank,
  getOwnDiagnostic,
  listAsked,
  viewOf,
  type DiagnosticRecord,
} from './diagnostic-queries.server.ts'
import { getDiagnosticResult } from './diagnostic-result-queries.server.ts'
import {
  AnswerDiagnostic,
  DiagnosticPath,
  DiagnosticPlace,
  DiagnosticView,
  fail,
  StartDiagnostic,
  type DiagnosticSize,
} from './diagnostic.schema.ts'
import { isResultShown, LENGTHS, minutesOf, mostOf } from './diagnostic.ts'

export function diagnosticApi({ secret }: { readonly secret: string }) {
  const makeGuest = createGuestMaker(secret)
  return [
    endpoint({
      method: 'POST',
      path: '/api/diagnostics',
      who: 'anyone',
      about:
        'Starts a diagnostic of a course, or goes on with the open one. With access it asks from the whole bank, without it from the free trials.',
      body: StartDiagnostic,
      reply: DiagnosticView,
      async handle({ body }, context) {
        const course = await findCourse(context.db, body.courseSlug)
        if (course === null) throw failCatalogue('course.not-found')
        const courseId = course.id as CourseId
        const size = await sizeFor(context, courseId)
        const now = context.clock.now()
        const known = takerOf(context)
        if (known === null) await requireFreeQuestions(context, courseId)
        const taker = known ?? (await makeGuest(context))
        return startDiagnostic(context.db, { taker, courseId, size, isAnew: body.isAnew, now })
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/diagnostics/:diagnosticId/questions/:place/answer',
      who: 'anyone',
      about:
        'Makes the answer to a question of a diagnostic final and asks the next one. No answer key is told before the end.',
      params: DiagnosticPlace,
      body: AnswerDiagnostic,
      reply: DiagnosticView,
      async handle({ params, body }, context) {
        const own = await requireOpenTo(context, params.diagnosticId)
        return answerDiagnostic(context.db, { ...params, ...own, answer: body.answer })
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/diagnostics/:diagnosticId/end',
      who: 'anyone',
      about: 'Ends a diagnostic with what was answered. Idempotent.',
      params: DiagnosticPath,
      reply: DiagnosticView,
      async handle({ params }, context) {
        return endDiagnostic(context.db, { ...params, ...(await requireOpenTo(context, params.diagnosticId)) })
      },
    }),
  ]
}

/** The taker of a diagnostic, who has access where it asks from the whole bank. @throws Failure diagnostic.not-found */
async function requireOpenTo(context: RequestContext, diagnosticId: string): Promise<{ taker: Taker; now: Date }> {
  const { db, clock } = context
  const [now, taker] = [clock.now(), takerOf(context)]
  const record = await getOwnDiagnostic(db, { diagnosticId, taker })
  if (taker === null) throw fail('diagnostic.not-found')
  if (record.size === 'full') await requireAccess(db, requireUser(context), record.courseId, now)
  return { taker, now }
}

/** The full one with access, else the short one. */
async function sizeFor({ db, user, clock }: RequestContext, courseId: CourseId): Promise<DiagnosticSize> {
  if (user === null) return 'short'
  return typeof (await askAccess(db, user, courseId, clock.now())) === 'string' ? 'short' : 'full'
}

/** Nobody becomes a guest for a diagnostic that cannot start. @throws Failure diagnostic.nothing-free */
async function requireFreeQuestions({ db, clock }: RequestContext, courseId: CourseId): Promise<void> {
  const bank = await getDiagnosticBank(db, { userId: null, courseId, size: 'short', now: clock.now() })
  if (bank.open.size === 0) throw fail('diagnostic.nothing-free')
}

/** What the page shows: a start, the question that is asked, or the result. */
export const diagnosticLoader = pageLoader(async ({ context, params }) => {
  const { db, user, cachedQueries } = context
  const now = context.clock.now()
  const course = await cachedQueries.get(courseDetail, db, (params['courseSlug'] ?? '').toLowerCase())
  if (course === null) throw failCatalogue('course.not-found')
  const courseId = course.id as CourseId
  const size = await sizeFor(context, courseId)
  const taker = takerOf(context)
  const names = { slug: course.slug, title: course.title }
  const page = { course: names, size, isGuest: user === null }
  const latest = taker === null ? null : await findLatestDiagnostic(db, { taker, courseId, size })
  if (latest !== null && taker !== null && latest.finishedAt === null)
    return { ...page, kind: 'running' as const, diagnostic: await viewFor(context, latest) }
  if (latest !== null && isResultShown(latest.finishedAt, now))
    return { ...page, kind: 'result' as const, result: await getDiagnosticResult(db, { record: latest, user, now }) }
  return { ...page, kind: 'start' as const, start: await startFacts(context, { course, courseId, size, taker }) }
})

type PageOf<Kind extends string> = Extract<Awaited<ReturnType<typeof diagnosticLoader>>, { kind: Kind }>
export type StartPage = PageOf<'start'>
export type ResultPage = PageOf<'result'>

async function viewFor(
  { db, user, guestId, clock }: RequestContext,
  record: DiagnosticRecord,
): Promise<DiagnosticView> {
  const { courseId, size } = record
  const bank = await getDiagnosticBank(db, { ...visitor(user, guestId), courseId, size, now: clock.now() })
  return viewOf(record, await listAsked(db, record), bank)
}

function visitor(user: RequestContext['user'], guestId: RequestContext['guestId']) {
  return { userId: user?.id ?? null, guestId: user === null ? guestId : null }
}

/** How long a diagnostic would be, and whether a full one waits for access. */
async function startFacts(
  { db, user, guestId, clock }: RequestContext,
  of: { course: CourseView; courseId: CourseId; size: DiagnosticSize; taker: Taker | null },
) {
  const { courseId, size, taker } = of
  const bank = await getDiagnosticBank(db, { ...visitor(user, guestId), courseId, size, now: clock.now() })
  const waiting =
    taker === null || size === 'full' ? null : await findLatestDiagnostic(db, { taker, courseId, size: 'full' })
  const questions = mostOf(size, bank.candidates)
  return {
    questions,
    isFew: questions < LENGTHS[size].least,
    minutes: minutesOf(questions),
    hasQuestions: bank.open.size > 0,
    isWaiting: waiting !== null && waiting.finishedAt === null,
  }
}

const run = callsOf<typeof diagnosticApi>()

/** The forms of the page, with and without scripts: start, answer, say that one does not know, or end. */
export const diagnosticAction = pageAction([], async ({ context, params, form, fields }) => {
  const { request } = context
  const courseSlug = params['courseSlug'] ?? ''
  const here = paths.diagnostic(courseSlug)
  if (form['do'] === 'end') {
    const path = DiagnosticPath.safeParse({ diagnosticId: form['diagnostic'] })
    if (!path.success) throw fail('diagnostic.not-found')
    const ended = await run(context, 'POST', '/api/diagnostics/:diagnosticId/end', { params: path.data })
    throw redirect(ended.answeredCount === 0 ? `${here}?ended` : here, 303)
  }
  if (form['do'] !== 'answer' && form['do'] !== 'unknown') {
    await run(context, 'POST', '/api/diagnostics', { body: { courseSlug, isAnew: form['do'] === 'anew' } })
    throw redirect(here, 303)
  }
  const path = DiagnosticPlace.safeParse({ diagnosticId: form['diagnostic'], place: form['place'] })
  if (!path.success) throw fail('diagnostic.not-found')
  const record = await getOwnDiagnostic(request.db, { ...path.data, taker: takerOf(request) })
  const asked = (await listAsked(request.db, record))[path.data.place]
  const isStale = asked !== undefined && asked.answeredAt !== null
  const isKnown = form['do'] === 'answer' && !isStale && asked !== undefined && asked.question !== null
  const answer = isKnown && asked.question !== null ? answerFromFields(forTaking(asked.question), fields) : null
  if (isKnown && answer === null) throw fail('diagnostic.nothing-chosen')
  await run(context, 'POST', '/api/diagnostics/:diagnosticId/questions/:place/answer', {
    params: { diagnosticId: record.id, place: String(path.data.place) },
    body: { answer },
  })
  throw redirect(isStale ? `${here}?earlier` : here, 303)
})
