import { z } from 'zod'
import type { CourseId, UserId } from '../../lib/ids.ts'
import { requireUser, type RequestContext } from '../../platform/http/request-context.server.ts'
import { endpoint } from '../../platform/http/endpoint.server.ts'
import { pageLoader, requireUserForPage } from '../../platform/http/page-loader.server.ts'
import { findOpenDrawn } from '../attempts/drawn-exams/drawn-exams-queries.server.ts'
import { KIND_WORDS, QUESTION_KINDS } from '../questions/types/check-registry.ts'
import { askAccess, requireAccess } from '../access/access-queries.server.ts'
import { fail as failCatalogue, type CourseView } from '../catalogue/catalogue.schema.ts'
import { examShifts, listResultQuestions } from './exam-results/exam-results-queries.server.ts'
import {
  estimateReadiness,
  findOpenDrill,
  getDrillView,
  getHistory,
  getOwnDrill,
  listSummaries,
  summarise,
  type DrillRecord,
} from './study-queries.server.ts'
import {
  CardsQuery,
  CheckDrillAnswer,
  CheckedDrillAnswer,
  DrillPath,
  DrillPlace,
  DrillView,
  fail,
  FlagDrillQuestion,
  StartDrill,
  type CountedStanding,
} from './study.schema.ts'
import type { CardsFile, CardsOf } from './anki-cards/study-cards-queries.server.ts'
import { shownPlace } from './plain-drill/posted-drill.ts'
import { getNamedCourse, openCourse } from './study-course-queries.server.ts'
import { countFitting } from './study.ts'
import { checkDrillAnswer, finishDrill, flagDrillQuestion, startDrill } from './study-commands.server.ts'

type StudyDeps = { readonly exportCards: (of: CardsOf) => Promise<CardsFile> }

export function studyApi(deps: StudyDeps) {
  return [...drillEndpoints(), ...drillQuestionEndpoints(), cardsEndpoint(deps)]
}

function cardsEndpoint({ exportCards }: StudyDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/cards',
    mayTakeLong: true,
    who: 'signed-in',
    about: "Exports the user's missed and due questions of a course as a package of Anki.",
    limit: 'export',
    query: CardsQuery,
    reply: z.custom<Response>(),
    async handle({ query }, context) {
      const now = context.clock.now()
      const { id, slug, title } = await getNamedCourse(context, query.course)
      const { courseId, userId } = await requireAccess(context.db, requireUser(context), id as CourseId, now)
      const { bytes, fileName, contentType } = await exportCards({
        userId,
        courseId,
        courseSlug: slug,
        courseTitle: title,
        now,
      })
      return new Response(new Uint8Array(bytes), {
        headers: {
          'content-type': contentType,
          'content-disposition': `attachment; filename="${fileName}"`,
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        },
      })
    },
  })
}

function drillEndpoints() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/drills',
      who: 'signed-in',
      about: 'Starts a drill of a course, or returns the open one; `replaces` ends the open one first.',
      body: StartDrill,
      reply: DrillView,
      async handle({ body }, context) {
        const { db } = context
        const now = context.clock.now()
        const course = await getNamedCourse(context, body.courseSlug)
        const proof = await requireAccess(db, requireUser(context), course.id as CourseId, now)
        const drill = await startDrill(db, { proof, filters: body.filters, replaces: body.replaces, now })
        return getDrillView(db, drill, proof, titlesOf(course))
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/drills/:drillId',
      who: 'signed-in',
      about: 'Returns a drill of the user with its answers, and with the answer keys of answered questions.',
      params: DrillPath,
      reply: DrillView,
      async handle({ params }, context) {
        const own = { drillId: params.drillId, userId: requireUser(context).id }
        return viewFor(context, await getOwnDrill(context.db, own))
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/drills/:drillId/finish',
      who: 'signed-in',
      about: 'Ends a drill. Its answers count. Idempotent.',
      params: DrillPath,
      reply: DrillView,
      async handle({ params }, context) {
        const own = { drillId: params.drillId, userId: requireUser(context).id, now: context.clock.now() }
        return viewFor(context, await finishDrill(context.db, own))
      },
    }),
  ]
}

function drillQuestionEndpoints() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/drills/:drillId/questions/:place/check',
      who: 'signed-in',
      about: 'Makes the answer to a question of a drill final and returns its answer key.',
      params: DrillPlace,
      body: CheckDrillAnswer,
      reply: CheckedDrillAnswer,
      async handle({ params, body }, context) {
        const own = await requireOwnQuestion(context, params)
        return checkDrillAnswer(context.db, { ...own, answer: body.answer, now: context.clock.now() })
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/drills/:drillId/questions/:place/flag',
      who: 'signed-in',
      about: 'Flags or unflags a question of a drill.',
      params: DrillPlace,
      body: FlagDrillQuestion,
      reply: z.null(),
      async handle({ params, body }, context) {
        await flagDrillQuestion(context.db, { ...params, userId: requireUser(context).id, ...body })
        return null
      },
    }),
  ]
}

function titlesOf(course: CourseView) {
  return { courseSlug: course.slug, courseTitle: course.title }
}

/** A finished drill stays readable without access, without answer keys; an open one needs access. @throws Failure access.none, access.ended */
async function viewFor(context: RequestContext, drill: DrillRecord): Promise<DrillView> {
  const { db } = context
  const course = await getNamedCourse(context, drill.courseId)
  const ask = drill.finishedAt === null ? requireAccess : askAccess
  const proof = await ask(db, requireUser(context), drill.courseId, context.clock.now())
  return getDrillView(db, drill, proof, titlesOf(course))
}

/** @throws Failure drill.not-found, access.none, access.ended */
async function requireOwnQuestion(context: RequestContext, at: { drillId: string; place: number }) {
  const user = requireUser(context)
  const own = { ...at, userId: user.id }
  const drill = await getOwnDrill(context.db, own)
  await requireAccess(context.db, user, drill.courseId, context.clock.now())
  return own
}

/** The questions for drills and custom exams, the open ones, repetition and readiness. */
export const drillLoader = pageLoader(async ({ context, params, url }) => {
  const { db } = context
  const user = requireUserForPage(context, url)
  const now = context.clock.now()
  const asked = await openCourse(context, user, params['courseSlug'] ?? '')
  if (asked.kind === 'refused') return asked
  const { course, names } = asked
  const courseId = course.id as CourseId
  const history = await getHistory(context, user.id)
  const [studies, open, openCustom, shifts, questions] = await Promise.all([
    listSummaries(context, { courseIds: [courseId], history, now }),
    findOpenDrill(db, { userId: user.id, courseId }),
    findOpenDrawn(db, { userId: user.id, courseId, kind: 'custom' }),
    context.cachedQueries.get(examShifts, db),
    listResultQuestions(db, { userId: user.id, courseId, now }),
  ])
  const study = studies.get(courseId)
  if (study === undefined) throw failCatalogue('course.not-found')
  return {
    kind: 'open' as const,
    course: names,
    standings: study.standings,
    kinds: kindsIn(study.standings),
    repetition: study.repetition,
    readiness: estimateReadiness(study, course.blueprint, now, shifts.get(courseId)),
    asked: questions,
    open: open === null ? null : await summarise(db, open),
    openCustom,
  }
})

/** The types of question among the standings, in the usual order, with their words. */
function kindsIn(standings: readonly CountedStanding[]) {
  const used = new Set(standings.map(({ kind }) => kind))
  return QUESTION_KINDS.filter((kind) => used.has(kind)).map((kind) => ({ kind, words: KIND_WORDS[kind] }))
}

/**
 * An open drill, or the result of a finished one with the counts for the next step. `?at=` names a question of it: without scripts the
 * last answer is shown after the drill has ended.
 */
export const runningDrillLoader = pageLoader(async ({ context, params, url }) => {
  const user = requireUserForPage(context, url)
  const path = DrillPath.safeParse(params)
  if (!path.success) throw fail('drill.not-found')
  const record = await getOwnDrill(context.db, { ...path.data, userId: user.id })
  const drill = await viewFor(context, record)
  const at = shownPlace(drill, url.searchParams.get('at'))
  const left = drill.isFinished && at === null ? await countLeft(context, user.id, record.courseId) : null
  return { drill, at, left }
})

async function countLeft(context: RequestContext, userId: UserId, courseId: CourseId) {
  const history = await getHistory(context, userId)
  const studies = await listSummaries(context, { courseIds: [courseId], history, now: context.clock.now() })
  const { repetition, standings = [] } = studies.get(courseId) ?? {}
  return { dueCount: repetition?.dueCount ?? 0, unseenCount: countFitting(standings, { from: ['unseen'] }) }
}
