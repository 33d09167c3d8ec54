import { redirect } from 'react-router'
import type { CourseId } from '../../../lib/ids.ts'
import { paths } from '../../../lib/paths.ts'
import { endpoint } from '../../../platform/http/endpoint.server.ts'
import { callsOf, pageAction } from '../../../platform/http/page-action.server.ts'
import { pageLoader, requireUserForPage } from '../../../platform/http/page-loader.server.ts'
import { requireUser } from '../../../platform/http/request-context.server.ts'
import { requireAccess } from '../../access/access-queries.server.ts'
import { getNamedCourse, openCourse } from '../study-course-queries.server.ts'
import { startMockExam } from './mock-exams-commands.server.ts'
import { getMockPage } from './mock-exams-queries.server.ts'
import { StartDrawnExam, StartedDrawnExam } from './mock-exams.schema.ts'

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

/** The next mock exam, the open ones, and the results so far. */
export const mockPageLoader = pageLoader(async ({ context, params, url }) => {
  const user = requireUserForPage(context, url)
  const asked = await openCourse(context, user, params['courseSlug'] ?? '')
  if (asked.kind === 'refused') return asked
  const of = { userId: user.id, courseId: asked.course.id as CourseId, now: context.clock.now() }
  return { kind: 'open' as const, course: asked.names, ...(await getMockPage(context.db, of)) }
})

const run = callsOf<typeof mockExamsApi>()

/** The form of the page: starts a mock exam and goes to it. */
export const mockPageAction = pageAction([], async ({ context, params, url, form }) => {
  requireUserForPage(context.request, url)
  const courseSlug = params['courseSlug'] ?? ''
  // Pages of an earlier build post the form of custom exams here: the browser posts it again where it is now.
  if (form['kind'] === 'custom') throw redirect(paths.drill(courseSlug), 307)
  const replaces = form['replaces'] === undefined || form['replaces'] === '' ? {} : { replaces: form['replaces'] }
  const started = await run(context, 'POST', '/api/mock-exams', { body: { courseSlug, kind: 'mock', ...replaces } })
  throw redirect(paths.runningMock(started.courseSlug, started.attemptId), 303)
})
