import { redirect } from 'react-router'
import type { CourseId } from '../../../lib/ids.ts'
import { paths } from '../../../lib/paths.ts'
import { endpoint } from '../../../platform/http/endpoint.server.ts'
import { callsOf, pageAction } from '../../../platform/http/page-action.server.ts'
import { pageLoader, requireUserForPage } from '../../../platform/http/page-loader.server.ts'
import { requireUser } from '../../../platform/http/request-context.server.ts'
import { requireAccess } from '../../access/access-queries.server.ts'
import { getNamedCourse, openCourse } from '../study-course-queries.server.ts'
import { fitsCustom } from './custom-count.ts'
import { CUSTOM_SOURCES } from './custom-limits.ts'
import { startMockExam } from './mock-exams-commands.server.ts'
import { getMockBank, getMockPage } from './mock-exams-queries.server.ts'
import { StartDrawnExam, StartedDrawnExam, type CustomExam } from './mock-exams.schema.ts'

export function mockExamsApi() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/mock-exams',
      who: 'signed-in',
      about:
        'Draws an exam from the questions of a course and starts it, or returns the open one of its kind; `replaces` ends the open one first.',
      body: StartDrawnExam,
      reply: StartedDrawnExam,
      async handle({ body }, context) {
        const { db } = context
        const now = context.clock.now()
        const course = await getNamedCourse(context, body.courseSlug)
        const proof = await requireAccess(db, requireUser(context), course.id as CourseId, now)
        const attemptId = await startMockExam(db, { ...body, proof, now })
        return { attemptId, courseSlug: course.slug }
      },
    }),
  ]
}

/** The form for a mock exam or a custom exam, the open ones, and the results so far. */
export const mockPageLoader = pageLoader(async ({ context, params, url }) => {
  const user = requireUserForPage(context, url)
  const asked = await openCourse(context, user, params['courseSlug'] ?? '')
  if (asked.kind === 'refused') return asked
  const of = { userId: user.id, courseId: asked.course.id as CourseId, now: context.clock.now() }
  return { kind: 'open' as const, course: asked.names, ...(await getMockPage(context.db, of)) }
})

const run = callsOf<typeof mockExamsApi>()

/** The form of the page: starts an exam and goes to it, or counts the questions that fit, for a browser without scripts. */
export const mockPageAction = pageAction(['count', 'minutes'], async ({ context, params, url, form }) => {
  const { request } = context
  const user = requireUserForPage(request, url)
  const courseSlug = params['courseSlug'] ?? ''
  const isCustom = form['kind'] === 'custom'
  const custom = isCustom ? customOf(form) : undefined
  if (form['do'] === 'count' && custom !== undefined) {
    const course = await getNamedCourse(request, courseSlug)
    const now = request.clock.now()
    const { userId, courseId } = await requireAccess(request.db, user, course.id as CourseId, now)
    const { entries } = await getMockBank(request.db, { userId, courseId, now })
    return { fitting: entries.filter((entry) => fitsCustom(entry, custom)).length, custom }
  }
  const replaces = form['replaces'] === undefined || form['replaces'] === '' ? {} : { replaces: form['replaces'] }
  const kind = isCustom ? ('custom' as const) : ('mock' as const)
  const started = await run(context, 'POST', '/api/mock-exams', {
    body: { courseSlug, kind, ...(custom === undefined ? {} : { custom }), ...replaces },
  })
  throw redirect(paths.runningMock(started.courseSlug, started.attemptId), 303)
})

/** What a posted form asks for. Each checkbox has a name of its own: of several fields with one name only the last is read. */
function customOf(form: Readonly<Record<string, string>>): CustomExam {
  const chosen = (group: string) =>
    Object.entries(form).flatMap(([name, value]) => (name.startsWith(`${group}.`) ? [value] : []))
  return {
    from: CUSTOM_SOURCES.filter((source) => chosen('from').includes(source)),
    domains: chosen('domain'),
    kinds: chosen('kind-of'),
    count: Number(form['count'] ?? Number.NaN),
    minutes: Number(form['minutes'] ?? Number.NaN),
  }
}
