import { z } from 'zod'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import type { Jobs } from '../../../platform/jobs.server.ts'
import { pageLoader, requireAdminForPage } from '../../../platform/http/page-loader.server.ts'
import { actionBy } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { getCheckState, listCheckedCourses, listFindings } from './question-checks-queries.server.ts'
import { resolveCourse } from '../../catalogue/course-choices-queries.server.ts'
import { NamedCourse } from '../../catalogue/course-choices.schema.ts'
import { CheckedCourses, CheckedCourseFilter, FindingPath, FindingFilter, SetAside } from './question-checks.schema.ts'
import { askForCheck, setFindingAside, takeFindingBack } from './question-checks-commands.server.ts'

export function checksApi(deps: { readonly jobs: Jobs }) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/question-checks',
      who: 'admin',
      about: 'Starts a check of the whole bank, or returns the running one.',
      reply: z.object({ checkId: z.string() }),
      handle: (_, context) => askForCheck(context.db, deps.jobs, actionBy(context)),
    }),
    endpoint({
      method: 'GET',
      path: '/api/question-checks/course-choices',
      who: 'admin',
      about:
        'Lists at most 20 courses with findings that match a search, or that changed last, and counts all matches.',
      limit: 'search',
      query: CheckedCourseFilter,
      reply: CheckedCourses,
      handle: ({ query }, { db }) => listCheckedCourses(db, query),
    }),
    endpoint({
      method: 'POST',
      path: '/api/question-checks/findings/:findingId/set-aside',
      who: 'admin',
      about: 'Sets a finding aside with a note, until its question changes.',
      params: FindingPath,
      body: SetAside,
      reply: Done,
      async handle({ params, body }, context) {
        const by = actionBy(context)
        await setFindingAside(context.db, { ...params, ...body, ...by })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/question-checks/findings/:findingId/take-back',
      who: 'admin',
      about: 'Returns a finding that was set aside to the list. Idempotent.',
      params: FindingPath,
      reply: Done,
      async handle({ params }, context) {
        await takeFindingBack(context.db, {
          ...params,
          ...actionBy(context),
        })
        return done
      },
    }),
  ]
}

/** A page of findings. */
export const checksLoader = pageLoader(async ({ context, url }) => {
  requireAdminForPage(context, url)
  const asked = Object.fromEntries([...url.searchParams].filter(([, value]) => value !== ''))
  const called = NamedCourse.parse(Object.fromEntries(url.searchParams))
  const { chosen: course, unclear } = await resolveCourse(context.db, called)
  const given = FindingFilter.parse({ code: null, severity: null, course: null, exam: null, ...asked })
  const courseId = course?.id ?? null
  // Without a script a typed course keeps the old exam in the form; an exam of another course is dropped here.
  const isOther = called.named !== null && courseId !== called.course
  const wanted = { ...given, course: courseId, exam: isOther ? null : given.exam }
  const [state, list] = await Promise.all([
    getCheckState(context.db, context.clock.now()),
    listFindings(context.db, wanted),
  ])
  return { wanted, state, list, course, unclear }
})
