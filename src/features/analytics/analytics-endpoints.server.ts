import { z } from 'zod'
import { csvOf } from '../../lib/csv.ts'
import { cents, toDollars } from '../../lib/money.ts'
import type { RequestContext } from '../../platform/http/request-context.server.ts'
import { endpoint } from '../../platform/http/endpoint.server.ts'
import { replicaPageLoader, requireAdminForPage } from '../../platform/http/page-loader.server.ts'
import { resolveCourse } from '../catalogue/course-choices-queries.server.ts'
import { NamedCourse } from '../catalogue/course-choices.schema.ts'
import { countsLive, getFigures, listCourseFigures, listPoints } from './analytics-queries.server.ts'
import { changeOf, choosePeriod, shareOf } from './analytics.ts'
import { AnalyticsFilter } from './analytics.schema.ts'

/** Courses on the page; the CSV file has all of them. */
const COURSES_SHOWN = 50

export function analyticsApi() {
  return [
    endpoint({
      method: 'GET',
      path: '/api/analytics/days.csv',
      mayTakeLong: true,
      who: 'admin',
      about: 'Exports the figures of a period by day, or by month if it is long, as CSV. Amounts are in dollars.',
      limit: 'export',
      query: AnalyticsFilter,
      reply: z.string(),
      reads: 'replica',
      async handle({ query }, { reads: db, clock }) {
        const { period } = choosePeriod(query, clock.now())
        const points = await listPoints(db, { period, courseId: query.course })
        const head = [period.unit, 'orders', 'gross', 'refunded', 'net', 'learners', 'timed', 'passed', 'practice']
        const lines = points.map((one) => [
          one.day,
          one.orders,
          ...dollars(one),
          one.learners,
          one.timed,
          one.passed,
          one.practice,
        ])
        return csvFile(`analytics-${period.from}-${period.to}.csv`, [head, ...lines])
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/analytics/courses.csv',
      mayTakeLong: true,
      who: 'admin',
      about: 'Exports the figures of a period by course, as CSV. Amounts are in dollars.',
      limit: 'export',
      query: AnalyticsFilter,
      reply: z.string(),
      reads: 'replica',
      async handle({ query }, { reads: db, clock }) {
        const { period } = choosePeriod(query, clock.now())
        const courses = await listCourseFigures(db, period)
        const head = ['course', 'orders', 'gross', 'refunded', 'net', 'trials', 'purchases', 'timed', 'passed']
        const lines = courses.map((one) => [
          one.title,
          one.orders,
          ...dollars(one),
          one.trials,
          one.purchases,
          one.timed,
          one.passed,
        ])
        return csvFile(`courses-${period.from}-${period.to}.csv`, [head, ...lines])
      },
    }),
  ]
}

/** The figures of a period and of the one before. */
export const analyticsLoader = replicaPageLoader(async ({ context, url }) => {
  requireAdminForPage(context, url)
  const query = Object.fromEntries(url.searchParams)
  const requested = AnalyticsFilter.parse({ ...query, course: url.searchParams.get('course') || null })
  return load(context, requested, NamedCourse.parse(query))
})

async function load({ reads: db, clock }: RequestContext, requested: AnalyticsFilter, named: NamedCourse) {
  const now = clock.now()
  const { chosen: course, unclear } = await resolveCourse(db, named)
  const filter = { ...requested, course: course?.id ?? null }
  const chosen = choosePeriod(filter, now)
  const { period, before } = chosen
  const courseId = filter.course
  const [figures, figuresBefore, points, courses, coursesBefore, isLive] = await Promise.all([
    getFigures(db, { period, courseId }),
    getFigures(db, { period: before, courseId }),
    listPoints(db, { period, courseId }),
    courseId === null ? listCourseFigures(db, period) : [],
    courseId === null ? listCourseFigures(db, before) : [],
    countsLive(db),
  ])
  const netBefore = new Map(coursesBefore.map((one) => [one.courseId, one.grossCents - one.refundedCents]))
  return {
    filter,
    chosen,
    isCourseGone: named.named === null && requested.course !== null && course === null,
    course,
    unclear,
    figures,
    figuresBefore,
    points,
    courseCount: courses.length,
    courses: courses.slice(0, COURSES_SHOWN).map((one) => {
      const net = one.grossCents - one.refundedCents
      return {
        ...one,
        change: changeOf(net, netBefore.get(one.courseId) ?? null),
        passRate: shareOf(one.passed, one.timed),
      }
    }),
    isTest: !isLive,
    at: now.toISOString(),
  }
}

/** As numbers, because a spreadsheet reads a text that begins with a minus as a formula. A double is exact enough for any sum here. */
function dollars({ grossCents, refundedCents }: { grossCents: number; refundedCents: number }): number[] {
  return [grossCents, refundedCents, grossCents - refundedCents].map((amount) => Number(toDollars(cents(amount))))
}

function csvFile(name: string, rows: readonly (readonly (string | number | null)[])[]): Response {
  return new Response(csvOf(rows), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="${name}"`,
    },
  })
}
