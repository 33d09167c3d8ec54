import { actionBy } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { endpoint } from '../../../platform/http/endpoint.server.ts'
import { pageLoader, replicaPageLoader, requireAdminForPage } from '../../../platform/http/page-loader.server.ts'
import { getCourseFacts } from '../../catalogue/catalogue-queries.server.ts'
import { fail as failCatalogue } from '../../catalogue/catalogue.schema.ts'
import { markVerified, undoMarking } from './freshness-commands.server.ts'
import { changeGuide } from './guide-change-commands.server.ts'
import { GuideChange, GuideChanged, GuidePath } from './guide-change.schema.ts'
import { countByDomain, countLinks, listStaleQuestions } from './freshness-queries.server.ts'
import { Marked, MarkingPath, MarkVerified, StaleFilter, UndoMarking, Unmarked } from './freshness.schema.ts'
import { dayOf } from './verification.ts'

export function freshnessApi() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/question-verifications',
      who: 'admin',
      about: 'Marks questions as verified today, in the published version and the draft, without a new version.',
      body: MarkVerified,
      reply: Marked,
      handle: ({ body }, context) => markVerified(context.db, { ...body, ...actionBy(context) }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/question-verifications/:markingId/undo',
      who: 'admin',
      about: 'Gives the questions of a marking their former days again, where nothing has changed them since.',
      params: MarkingPath,
      body: UndoMarking,
      reply: Unmarked,
      handle: ({ params, body }, context) => undoMarking(context.db, { ...params, ...body, ...actionBy(context) }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/courses/:courseId/guide',
      who: 'admin',
      about:
        'Gives a course a new exam guide and moves its questions to the new domains, or says what that would change.',
      params: GuidePath,
      body: GuideChange,
      reply: GuideChanged,
      handle: ({ params, body }, context) => changeGuide(context.db, { ...params, ...body, ...actionBy(context) }),
    }),
  ]
}

/** The form for a new exam guide, with the number of questions of each domain. */
export const guideLoader = pageLoader(async ({ context, params, url }) => {
  requireAdminForPage(context, url)
  const { courseId } = GuidePath.safeParse(params).data ?? { courseId: null }
  if (courseId === null) throw failCatalogue('course.not-found')
  const [course, counts] = await Promise.all([
    getCourseFacts(context.db, courseId),
    countByDomain(context.db, courseId),
  ])
  return { course, counts }
})

/** A page of the questions to verify. */
export const freshnessLoader = replicaPageLoader(async ({ context, url }) => {
  requireAdminForPage(context, url)
  const asked = Object.fromEntries([...url.searchParams].filter(([, value]) => value !== ''))
  const wanted = StaleFilter.parse({ course: null, reason: null, ...asked })
  const [queue, links] = await Promise.all([
    listStaleQuestions(context.reads, wanted, dayOf(context.clock.now())),
    countLinks(context.reads),
  ])
  return { wanted, queue, links }
})
