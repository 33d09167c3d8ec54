import { dayIn, daysBetween } from '../../../lib/calendar-day.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import { pageLoader, requireUserForPage } from '../../../platform/http/page-loader.server.ts'
import type { RequestContext } from '../../../platform/http/request-context.server.ts'
import { findAccess } from '../../access/access-queries.server.ts'
import { listMocks } from '../../attempts/drawn-exams/drawn-exams-queries.server.ts'
import { courseDetail } from '../../catalogue/catalogue-queries.server.ts'
import { fail as failCatalogue, type CourseView } from '../../catalogue/catalogue.schema.ts'
import { examShifts, listResultQuestions } from '../exam-results/exam-results-queries.server.ts'
import { getPledgeConditions } from '../exam-results/pledge-queries.server.ts'
import { getExamDate } from '../plan/plan-queries.server.ts'
import { NO_PROGRESS } from '../progress/study-progress.ts'
import { listReadinessDays } from '../readiness-history/readiness-history-queries.server.ts'
import { masteriesIn } from '../readiness/readiness.ts'
import { estimateReadiness, getHistory, listSummaries } from '../study-queries.server.ts'
import type { Readiness } from '../study.schema.ts'
import {
  calendarOf,
  paceOf,
  readinessPoints,
  totalsOf,
  type DomainView,
  type MockResult,
  type ProgressView,
} from './progress-view.ts'

const MOCKS = 30

/** A learner's own progress. It holds no question, so it stays readable after the access ends. */
export const progressLoader = pageLoader(async ({ context, params, url }) => {
  const user = requireUserForPage(context, url)
  const { db, cachedQueries } = context
  const now = context.clock.now()
  const course = await cachedQueries.get(courseDetail, db, (params['courseSlug'] ?? '').toLowerCase())
  if (course === null) throw failCatalogue('course.not-found')
  const access =
    user.role === 'admin' ? ('running' as const) : (await findAccess(db, user.id, course.id as CourseId, now)).kind
  const own = { userId: user.id, courseId: course.id as CourseId }
  const [progress, exam, asked, pledge] = await Promise.all([
    viewOf(context, user.id, course),
    getExamDate(db, own),
    listResultQuestions(db, { ...own, now }),
    getPledgeConditions(db, own, now),
  ])
  const daysLeft = exam === null ? -1 : daysBetween(dayIn(now, exam.timeZone), exam.examDate)
  return {
    course: { slug: course.slug, title: course.title, code: course.code, category: course.category },
    exam: exam === null || daysLeft < 0 ? null : { day: exam.examDate, daysLeft },
    hasPlan: exam !== null,
    canStudy: access === 'running',
    progress,
    asked,
    pledge,
  }
})

/** Null for who has answered nothing. */
async function viewOf(context: RequestContext, userId: UserId, course: CourseView): Promise<ProgressView | null> {
  const { db } = context
  const now = context.clock.now()
  const courseId = course.id as CourseId
  const history = await getHistory(context, userId)
  const past = history.get(courseId) ?? NO_PROGRESS
  if (past.days.length === 0) return null
  const [summaries, told, mocks, shifts] = await Promise.all([
    listSummaries(context, { courseIds: [courseId], history, now }),
    listReadinessDays(db, { userId, courseId }),
    listMocks(db, { userId, courseId, limit: MOCKS }),
    context.cachedQueries.get(examShifts, db),
  ])
  const study = summaries.get(courseId)
  if (study === undefined) return null
  const { blueprint } = course
  const { today } = study
  const readiness = estimateReadiness(study, blueprint, now, shifts.get(courseId))
  return {
    totals: totalsOf(past.days),
    today,
    timeZone: study.timeZone,
    readiness,
    passingPercent: study.passingScore,
    points: readinessPoints(told, readiness, today),
    domains: domainsOf(study, readiness, masteriesIn({ ...study, blueprint, now })),
    calendar: calendarOf(past.days, today),
    dueAhead: study.dueAhead,
    dueFrom: study.today,
    fitted: study.repetition.fitted,
    pace: paceOf(past.days, today),
    examSeconds: blueprint === null ? null : Math.round((60 * blueprint.minutes) / blueprint.questions),
    confidence: past.confidence,
    mocks: mocks.toReversed().map((one): MockResult => ({
      day: dayIn(one.finishedAt, study.timeZone),
      percent: one.percent,
      isPassed: one.isPassed,
      title: one.title,
    })),
  }
}

type Summary = NonNullable<Awaited<ReturnType<typeof listSummaries>> extends Map<string, infer One> ? One : never>

function domainsOf(
  { standings }: Summary,
  readiness: Readiness,
  masteries: ReturnType<typeof masteriesIn>,
): DomainView[] {
  return masteries.map(({ name, weight, mastery }) => {
    const own = standings.filter(({ domain }) => domain === name)
    const total = own.reduce((sum, { count }) => sum + count, 0)
    const unseen = own.reduce((sum, { count, isUnseen }) => (isUnseen ? sum + count : sum), 0)
    const known = readiness.kind === 'estimate' ? mastery : null
    return {
      name,
      weight: 100 * weight,
      total,
      seen: total - unseen,
      mastery:
        known === null ? null : { expected: known.expectedPercent, low: known.lowPercent, high: known.highPercent },
    }
  })
}
