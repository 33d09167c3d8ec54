import { addDays, daysBetween, type CalendarDay } from '../../../lib/calendar-day.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import type { RequestContext } from '../../../platform/http/request-context.server.ts'
import { listMocks } from '../../attempts/drawn-exams/drawn-exams-queries.server.ts'
import type { CourseView } from '../../catalogue/catalogue.schema.ts'
import type { StudySummary } from '../study-queries.server.ts'
import { adviceFor, planDays, type Plan, type PlanAdvice, type PlanDay } from './plan-days.ts'
import { planFactsOf } from './plan-facts.ts'
import { findPace, type PlanRecord } from './plan-queries.server.ts'
import type { PlannedCourse } from './planned-courses-queries.server.ts'
import { MINUTES_MAX } from './plan.schema.ts'

/** The plan of a course as its page shows it. */
export type PlanView = Plan & {
  readonly today: CalendarDay
  readonly daysLeft: number
  readonly advice: PlanAdvice | null
  /** The last day with access, if that is before the exam. */
  readonly accessEnds: CalendarDay | null
  readonly examMinutes: number | null
  readonly doneToday: { readonly answered: number; readonly newCount: number }
  readonly seenCount: number
  readonly questionCount: number
  readonly mocksDone: number
}

type PlanOf = {
  readonly course: Pick<CourseView, 'id' | 'blueprint'>
  readonly record: PlanRecord
  readonly study: StudySummary
  readonly accessUntil: Date | null
  readonly now: Date
}

function factsOf(of: PlanOf & Pick<PlannedCourse, 'pace' | 'timedExamsAt'>) {
  const { course, record, study, ...others } = of
  return planFactsOf({ wish: record, learned: study, blueprint: course.blueprint, ...others })
}

type OwnPlanOf = PlanOf & { readonly userId: UserId }

async function readFacts({ db }: Pick<RequestContext, 'db'>, of: OwnPlanOf) {
  const { userId, course } = of
  const [pace, mocks] = await Promise.all([
    findPace(db, userId),
    listMocks(db, { userId, courseId: course.id as CourseId }),
  ])
  return factsOf({ ...of, pace, timedExamsAt: mocks.map(({ finishedAt }) => finishedAt) })
}

export async function getPlanView(context: Pick<RequestContext, 'db'>, of: OwnPlanOf): Promise<PlanView> {
  const facts = await readFacts(context, of)
  const { standings, seen } = of.study
  const { today, examDate, accessUntil, doneToday } = facts
  return {
    ...planDays(facts),
    today,
    daysLeft: daysBetween(today, examDate),
    advice: examDate > today ? adviceFor(facts, MINUTES_MAX) : null,
    accessEnds: accessUntil !== null && accessUntil < addDays(examDate, -1) ? accessUntil : null,
    examMinutes: facts.exam?.minutes ?? null,
    doneToday: {
      answered: Math.round(doneToday.seconds / facts.secondsPerQuestion),
      newCount: doneToday.newCount,
    },
    seenCount: seen.length,
    questionCount: standings.reduce((sum, { count }) => sum + count, 0),
    mocksDone: facts.mocksDone.filter((day) => day >= facts.setOn).length,
  }
}

/** The days of the plan, and what they are computed from. */
export async function getPlan(context: Pick<RequestContext, 'db'>, of: OwnPlanOf) {
  const facts = await readFacts(context, of)
  return { facts, ...planDays(facts) }
}

/** The days to the exam and what is planned for today. */
export type PlanToday = {
  readonly examDate: CalendarDay
  readonly daysLeft: number
  readonly kind: PlanDay['kind'] | null
  readonly dueCount: number
  readonly newCount: number
  readonly hasMock: boolean
}

export function planToday(of: PlanOf & Pick<PlannedCourse, 'pace' | 'timedExamsAt'>): PlanToday {
  const facts = factsOf(of)
  const [first] = planDays(facts).days
  return {
    examDate: facts.examDate,
    daysLeft: daysBetween(facts.today, facts.examDate),
    kind: first?.kind ?? null,
    dueCount: first?.dueCount ?? 0,
    newCount: (first?.newByDomain ?? []).reduce((sum, { count }) => sum + count, 0),
    hasMock: first !== undefined && first.mock !== null,
  }
}
