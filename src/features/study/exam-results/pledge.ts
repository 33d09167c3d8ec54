import { addDays, dayIn, daysBetween, type CalendarDay } from '../../../lib/calendar-day.ts'

/** The rule of the pledge, as the page /pledge says it. */
export const PLEDGE = {
  /** The exam date stands unchanged for so many days before the exam. */
  dateDays: 7,
  /** The chance to pass, on exams like ours, in percent. */
  chancePercent: 85,
  /** Timed exams that were finished. */
  mocks: 2,
  /** Readiness and mocks are reached in so many days before the exam. */
  reachedDays: 30,
  /** The result is reported within so many days after the exam. */
  reportDays: 14,
} as const

export type PledgeFacts = {
  readonly exam: {
    readonly examDate: CalendarDay
    readonly timeZone: string
    readonly setAt: Date
    readonly movedAt: Date | null
  } | null
  /** What the learner was told on each day, in percent. */
  readonly days: readonly { readonly day: CalendarDay; readonly chancePercent: number }[]
  readonly mocks: readonly { readonly finishedAt: Date }[]
  readonly result: { readonly isPassed: boolean; readonly reportedAt: Date } | null
  /** Paid periods of access that were not taken back. Seats, grants and pledges are none. */
  readonly paidPeriods: readonly { readonly id: string; readonly startsAt: Date; readonly endsAt: Date }[]
  /** Paid periods whose pledge was used. */
  readonly usedPeriodIds: readonly string[]
  readonly now: Date
}

export const CONDITIONS = ['date', 'readiness', 'mocks', 'paid', 'reported', 'failed'] as const
export type ConditionId = (typeof CONDITIONS)[number]

/** A condition of the rule: met, still open, or missed; with what was found, for its sentence. */
export type Condition = {
  readonly id: ConditionId
  readonly state: 'met' | 'open' | 'missed'
  readonly found: Readonly<Record<string, string | number>>
  /** Which of the sentences about what was found fits. */
  readonly sentence: string
}

export type Judgement = {
  readonly conditions: readonly Condition[]
  readonly isFulfilled: boolean
  /** The paid period that the pledge belongs to. */
  readonly paidPeriodId: string | null
}

/** Whether a learner fulfils the rule, condition by condition. */
export function judgePledge(facts: PledgeFacts): Judgement {
  const { exam } = facts
  if (exam === null) {
    const open = CONDITIONS.map((id): Condition => ({ id, state: 'open', found: {}, sentence: `${id}.none` }))
    return { conditions: open, isFulfilled: false, paidPeriodId: null }
  }
  const paid = paidCondition(facts, exam)
  const conditions = [
    dateCondition(exam),
    readinessCondition(facts, exam),
    mocksCondition(facts, exam),
    paid.condition,
    reportedCondition(facts, exam),
    failedCondition(facts),
  ]
  return {
    conditions,
    isFulfilled: conditions.every(({ state }) => state === 'met'),
    paidPeriodId: paid.periodId,
  }
}

type Exam = NonNullable<PledgeFacts['exam']>

function dateCondition({ examDate, timeZone, setAt, movedAt }: Exam): Condition {
  const lastChange = dayIn(movedAt ?? setAt, timeZone)
  const days = daysBetween(lastChange, examDate)
  return {
    id: 'date',
    state: days >= PLEDGE.dateDays ? 'met' : 'missed',
    found: { days: Math.max(0, days), day: lastChange },
    sentence: movedAt === null ? 'date.set' : 'date.moved',
  }
}

/** Whether a day counts as before the exam, and near enough to it. */
function isInTime(day: CalendarDay, { examDate }: Exam): boolean {
  return day < examDate && day >= addDays(examDate, -PLEDGE.reachedDays)
}

function readinessCondition({ days, now }: PledgeFacts, exam: Exam): Condition {
  const chances = days.filter(({ day }) => isInTime(day, exam)).map(({ chancePercent }) => chancePercent)
  const best = chances.length === 0 ? null : Math.max(...chances)
  return {
    id: 'readiness',
    state: best !== null && best >= PLEDGE.chancePercent ? 'met' : openUntil(exam.examDate, exam, now),
    // Rounded down, so that a chance below the threshold is never told as the threshold.
    found: best === null ? {} : { percent: Math.floor(best) },
    sentence: best === null ? 'readiness.unknown' : 'readiness.best',
  }
}

function mocksCondition({ mocks, now }: PledgeFacts, exam: Exam): Condition {
  const count = mocks.filter(({ finishedAt }) => isInTime(dayIn(finishedAt, exam.timeZone), exam)).length
  return {
    id: 'mocks',
    state: count >= PLEDGE.mocks ? 'met' : openUntil(exam.examDate, exam, now),
    found: { n: count },
    sentence: 'mocks.count',
  }
}

function paidCondition(
  { paidPeriods, usedPeriodIds }: PledgeFacts,
  { examDate, timeZone }: Exam,
): { condition: Condition; periodId: string | null } {
  const onTheDay = paidPeriods.filter(
    ({ startsAt, endsAt }) => dayIn(startsAt, timeZone) <= examDate && dayIn(endsAt, timeZone) >= examDate,
  )
  const unused = onTheDay.find(({ id }) => !usedPeriodIds.includes(id))
  const found = onTheDay.length === 0 ? 'paid.not' : unused === undefined ? 'paid.used' : 'paid.is'
  return {
    // Access can still be bought or extended until the exam.
    condition: { id: 'paid', state: unused === undefined ? 'missed' : 'met', found: {}, sentence: found },
    periodId: unused?.id ?? null,
  }
}

function reportedCondition({ result, now }: PledgeFacts, exam: Exam): Condition {
  const last = addDays(exam.examDate, PLEDGE.reportDays)
  if (result === null)
    return {
      id: 'reported',
      state: dayIn(now, exam.timeZone) <= last ? 'open' : 'missed',
      found: { last },
      sentence: 'reported.not',
    }
  const day = dayIn(result.reportedAt, exam.timeZone)
  return {
    id: 'reported',
    state: day <= last ? 'met' : 'missed',
    found: { day, last },
    sentence: 'reported.on',
  }
}

function failedCondition({ result }: PledgeFacts): Condition {
  if (result === null) return { id: 'failed', state: 'open', found: {}, sentence: 'failed.unknown' }
  return {
    id: 'failed',
    state: result.isPassed ? 'missed' : 'met',
    found: {},
    sentence: result.isPassed ? 'failed.passed' : 'failed.is',
  }
}

/** What is not reached counts as open before that day, and as missed from it on. */
function openUntil(day: CalendarDay, { timeZone }: Exam, now: Date): 'open' | 'missed' {
  return dayIn(now, timeZone) < day ? 'open' : 'missed'
}
