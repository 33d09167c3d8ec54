import { addDays, dayIn, type CalendarDay } from '../../../lib/calendar-day.ts'
import type { Blueprint } from '../../questions/questions.schema.ts'
import { weightsOf } from '../readiness/readiness.ts'
import type { CountedStanding, StudyAnswer } from '../study.schema.ts'
import type { PlanDomain, PlanFacts } from './plan-days.ts'

/** The time for a question of a learner whose own pace is not known, in a course without a blueprint. */
const USUAL_SECONDS = 90
/** Fewer answers of a domain say nothing about it. */
const MASTERY_ANSWERS_MIN = 3

export type Learned = {
  readonly answers: readonly StudyAnswer[]
  readonly standings: readonly CountedStanding[]
  readonly seen: readonly { readonly lastAt: Date; readonly dueAt: Date | null }[]
}

/** What the plan is computed from: a learner's wishes, and what they have studied so far. */
export function planFactsOf(of: {
  readonly wish: Pick<PlanFacts, 'examDate' | 'minutesADay' | 'restDays'> & {
    readonly timeZone: string
    readonly setAt: Date
  }
  readonly learned: Learned
  readonly blueprint: Blueprint | null
  readonly pace: number | null
  readonly timedExamsAt: readonly Date[]
  readonly accessUntil: Date | null
  readonly now: Date
}): PlanFacts {
  const { wish, learned, blueprint, now } = of
  const { timeZone, setAt } = wish
  const inZone = (instant: Date) => dayIn(instant, timeZone)
  const today = inZone(now)
  const pace = blueprint === null ? USUAL_SECONDS : (blueprint.minutes * 60) / blueprint.questions
  const secondsPerQuestion = of.pace ?? pace
  const isToday = (instant: Date) => inZone(instant) === today
  return {
    today,
    examDate: wish.examDate,
    setOn: inZone(setAt),
    minutesADay: wish.minutesADay,
    restDays: wish.restDays,
    secondsPerQuestion,
    dueByDay: dueByDay(learned, wish.examDate, inZone),
    domains: domainsOf(learned, blueprint),
    exam: blueprint === null ? null : { questions: blueprint.questions, minutes: blueprint.minutes },
    mocksDone: of.timedExamsAt.map(inZone),
    doneToday: {
      seconds: learned.seen.filter(({ lastAt }) => isToday(lastAt)).length * secondsPerQuestion,
      newCount: learned.answers.filter(({ isRepeated, at }) => isRepeated !== true && isToday(at)).length,
    },
    accessUntil: of.accessUntil === null ? null : inZone(of.accessUntil),
  }
}

/** The cards that are due before the exam. */
function dueByDay({ seen }: Learned, examDate: CalendarDay, inZone: (instant: Date) => CalendarDay) {
  const counts = new Map<CalendarDay, number>()
  for (const { dueAt } of seen) {
    const day = dueAt === null ? examDate : inZone(dueAt)
    if (day <= addDays(examDate, -1)) counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return counts
}

function domainsOf({ answers, standings }: Learned, blueprint: Blueprint | null): PlanDomain[] {
  const weights = weightsOf(
    standings.flatMap(({ domain, count }) => Array.from({ length: count }, () => domain)),
    blueprint,
  )
  return [...weights].map(([name, weight]) => {
    const own = answers.filter(({ domain }) => domain === name)
    const right = own.filter(({ isRight }) => isRight).length
    return {
      name,
      weight,
      // As if one more answer had been right and one wrong: three right answers are no certainty.
      mastery: own.length < MASTERY_ANSWERS_MIN ? null : (right + 1) / (own.length + 2),
      unseenCount: standings
        .filter(({ domain, isUnseen }) => domain === name && isUnseen)
        .reduce((sum, { count }) => sum + count, 0),
    }
  })
}
