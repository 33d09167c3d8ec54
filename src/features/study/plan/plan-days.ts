import { addDays, daysBetween, weekdayOf, type CalendarDay } from '../../../lib/calendar-day.ts'
import { evenLevel } from '../repetition/even-level.ts'
import { mockDays, mockLength, type MockExam } from './plan-mocks.ts'

/** A domain of the course, as far as the plan needs it. */
export type PlanDomain = {
  readonly name: string
  /** Its share of the exam, from 0 to 1. */
  readonly weight: number
  /** The expected share of right answers, from 0 to 1; null while too little is known. */
  readonly mastery: number | null
  readonly unseenCount: number
}

export type PlanFacts = {
  readonly today: CalendarDay
  readonly examDate: CalendarDay
  /** The day on which the date was set. */
  readonly setOn: CalendarDay
  readonly minutesADay: number
  /** Weekdays without study: 1 is Monday, 7 is Sunday. */
  readonly restDays: readonly number[]
  /** The learner's usual time for a question. */
  readonly secondsPerQuestion: number
  /** How many cards are due on which day; earlier days count as today. */
  readonly dueByDay: ReadonlyMap<CalendarDay, number>
  readonly domains: readonly PlanDomain[]
  /** The length of the real exam; null for a course without one. */
  readonly exam: MockExam | null
  /** The days of finished mock exams. */
  readonly mocksDone: readonly CalendarDay[]
  /** What was studied today already. */
  readonly doneToday: { readonly seconds: number; readonly newCount: number }
  /** The last day with access; null without an end. */
  readonly accessUntil: CalendarDay | null
}

export type PlanDay = {
  readonly day: CalendarDay
  /** On the last day before the exam there are only due cards, in half of the time. */
  readonly kind: 'study' | 'rest' | 'light'
  readonly dueCount: number
  readonly newByDomain: readonly { readonly domain: string; readonly count: number }[]
  readonly mock: MockExam | null
  readonly seconds: number
  readonly isAfterAccess: boolean
}

export type Plan = {
  /** From today to the day before the exam. */
  readonly days: readonly PlanDay[]
  /** What does not fit into the days. */
  readonly leftOut: { readonly dueCount: number; readonly newCount: number }
  /** Whether a mock exam is shorter than the real one, or there is none because a day has too little time for it. */
  readonly mocks: 'full' | 'short' | 'none'
}

/** How many of the new questions are missed and come back on the same day, while nothing is known. */
const USUAL_MISSES = 0.4
/** The share of the days after which no new questions come, if they fit before. */
const LAST_SHARE_WITHOUT_NEW = 0.15

type OpenDay = {
  readonly day: CalendarDay
  readonly kind: PlanDay['kind']
  readonly mock: MockExam | null
  readonly capacity: number
  readonly arrivals: number
}

/**
 * What to do on each day until the exam. It is computed from what is left today, so that missed days pile up nowhere: each day holds the
 * learner's minutes at most. Due cards come first, then new questions, spread evenly; what does not fit is named.
 */
export function planDays(facts: PlanFacts): Plan {
  const open = openDays(facts)
  const { seconds } = costOf(facts)
  const due = placeDue(open, seconds.due)
  const news = placeNew(open, due.counts, facts)
  const sequence = newSequence(facts.domains, news.total)
  let taken = 0
  const days = open.map(({ day, kind, mock }, index): PlanDay => {
    const [dueCount, newCount] = [due.counts[index] ?? 0, news.counts[index] ?? 0]
    const chosen = sequence.slice(taken, (taken += newCount))
    return {
      day,
      kind,
      dueCount,
      newByDomain: countByDomain(chosen),
      mock,
      seconds: dueCount * seconds.due + newCount * seconds.new + (mock?.minutes ?? 0) * 60,
      isAfterAccess: facts.accessUntil !== null && day > facts.accessUntil,
    }
  })
  const unseen = facts.domains.reduce((sum, { unseenCount }) => sum + unseenCount, 0)
  return {
    days,
    leftOut: { dueCount: due.leftOut, newCount: unseen - news.total },
    mocks: facts.exam === null ? 'full' : mockKind(facts.exam, facts.minutesADay),
  }
}

function mockKind(exam: MockExam, minutesADay: number): Plan['mocks'] {
  const length = mockLength(exam, minutesADay)
  if (length === null) return 'none'
  return length.questions === exam.questions ? 'full' : 'short'
}

/** The time of a due card and of a new question: those that are missed are asked again on the same day. */
function costOf({ domains, secondsPerQuestion }: PlanFacts) {
  const known = domains.filter(({ mastery }) => mastery !== null)
  const weight = known.reduce((sum, one) => sum + one.weight, 0)
  const misses = known.reduce((sum, one) => sum + one.weight * (1 - (one.mastery ?? 0)), 0)
  const missed = weight === 0 ? USUAL_MISSES : misses / weight
  return { seconds: { due: secondsPerQuestion, new: secondsPerQuestion * (1 + missed) } }
}

function openDays(facts: PlanFacts): OpenDay[] {
  const { today, examDate, minutesADay, restDays, dueByDay } = facts
  const last = addDays(examDate, -1)
  const names = Array.from({ length: Math.max(0, daysBetween(today, examDate)) }, (_, index) => addDays(today, index))
  const kindOf = (day: CalendarDay) => {
    if (restDays.includes(weekdayOf(day))) return 'rest' as const
    return day === last ? ('light' as const) : ('study' as const)
  }
  const studied = names.filter((day) => kindOf(day) === 'study')
  const length = facts.exam === null ? null : mockLength(facts.exam, minutesADay)
  const mocks = new Set(length === null ? [] : mockDays({ ...facts, days: studied }))
  return names.map((day) => {
    const kind = kindOf(day)
    const given = { study: minutesADay, light: minutesADay / 2, rest: 0 }[kind] * 60
    const done = day === today ? facts.doneToday.seconds : 0
    const capacity = Math.max(0, given - done)
    // Today's mock exam needs the time that is left today.
    const mock = mocks.has(day) && length !== null && length.minutes * 60 <= capacity ? length : null
    const earlier = day === today ? [...dueByDay.keys()].filter((other) => other < today) : []
    const arrivals = [day, ...earlier].reduce((sum, other) => sum + (dueByDay.get(other) ?? 0), 0)
    return { day, kind, mock, capacity: capacity - (mock?.minutes ?? 0) * 60, arrivals }
  })
}

/** The due cards of each day. What does not fit waits for the next day with time. */
function placeDue(days: readonly OpenDay[], seconds: number) {
  let waiting = 0
  const counts = days.map(({ capacity, arrivals }) => {
    waiting += arrivals
    const count = Math.min(waiting, Math.floor(capacity / seconds))
    waiting -= count
    return count
  })
  return { counts, leftOut: waiting }
}

/** The new questions of each day: as evenly as the days have time, and in the last days only if they do not fit before. */
function placeNew(days: readonly OpenDay[], dueCounts: readonly number[], facts: PlanFacts) {
  const { seconds } = costOf(facts)
  const done = facts.doneToday.newCount
  const unseen = facts.domains.reduce((sum, { unseenCount }) => sum + unseenCount, 0)
  // What was done today counts for today: otherwise each answered question would bring another one.
  const room = days.map(({ kind, capacity }, index) => {
    const free = kind === 'study' ? Math.floor((capacity - (dueCounts[index] ?? 0) * seconds.due) / seconds.new) : 0
    return index === 0 ? free + done : free
  })
  const wanted = unseen + done
  const early = room.map((count, index) => (index < days.length * (1 - LAST_SHARE_WITHOUT_NEW) ? count : 0))
  const chosen = sumOf(early) >= wanted ? early : room
  const most = evenLevel((level) => chosen.map((count) => Math.min(count, level)), wanted, Math.max(0, ...chosen))
  let left = wanted
  const counts = chosen.map((count, index) => {
    const take = Math.min(count, most, left)
    left -= take
    return index === 0 ? Math.max(0, take - done) : take
  })
  return spendRest(counts, unseen)
}

/** More may be done today than was planned: then the later days get less. */
function spendRest(counts: readonly number[], unseen: number) {
  let left = unseen
  const placed = counts.map((count) => {
    const take = Math.min(count, left)
    left -= take
    return take
  })
  return { counts: placed, total: sumOf(placed) }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/**
 * The domains of the new questions, in the order in which they are asked: each next question is of the domain that is furthest behind its
 * share. A share is the domain's weight on the exam, larger the more is missed there.
 */
function newSequence(domains: readonly PlanDomain[], count: number): string[] {
  const open = domains
    .filter(({ unseenCount }) => unseenCount > 0)
    .map(({ name, weight, mastery, unseenCount }) => ({
      name,
      share: Math.max(weight, 0.001) * (1.1 - (mastery ?? 1 - USUAL_MISSES)),
      left: unseenCount,
      given: 0,
    }))
  return Array.from({ length: count }, () => {
    const [next] = open
      .filter(({ left }) => left > 0)
      .sort((a, b) => b.share / (2 * b.given + 1) - a.share / (2 * a.given + 1) || (a.name < b.name ? -1 : 1))
    if (next === undefined) return ''
    next.left -= 1
    next.given += 1
    return next.name
  })
}

function countByDomain(names: readonly string[]): { domain: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([domain, count]) => ({ domain, count }))
}

/** What would make everything fit; null where it cannot. */
export type PlanAdvice = {
  readonly minutesADay: number | null
  readonly examDate: CalendarDay | null
  /** The weightiest domains whose new questions fit. */
  readonly domains: readonly string[]
}

const MINUTES_STEP = 5
const LATER_DAYS_MAX = 365

/** How a plan that leaves something out can be done; null when it can. */
export function adviceFor(facts: PlanFacts, minutesMax: number): PlanAdvice | null {
  if (fitsAll(planDays(facts))) return null
  const steps = Math.floor((minutesMax - facts.minutesADay) / MINUTES_STEP)
  const withMinutes = (step: number) => ({ ...facts, minutesADay: facts.minutesADay + step * MINUTES_STEP })
  const later = (days: number) => ({ ...facts, examDate: addDays(facts.examDate, days) })
  const minutes = firstThat(steps, (step) => fitsAll(planDays(withMinutes(step))))
  const days = firstThat(LATER_DAYS_MAX, (count) => fitsAll(planDays(later(count))))
  return {
    minutesADay: minutes === null ? null : withMinutes(minutes).minutesADay,
    examDate: days === null ? null : later(days).examDate,
    domains: weightiestThatFit(facts),
  }
}

function fitsAll({ leftOut }: Plan): boolean {
  return leftOut.dueCount + leftOut.newCount === 0
}

/** The first number from 1 to `most` for which it is true, provided that it stays true. */
function firstThat(most: number, isTrue: (value: number) => boolean): number | null {
  if (most < 1 || !isTrue(most)) return null
  let [low, high] = [1, most]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isTrue(middle)) high = middle
    else low = middle + 1
  }
  return low
}

function weightiestThatFit(facts: PlanFacts): string[] {
  const { days } = planDays(facts)
  let room = sumOf(days.flatMap(({ newByDomain }) => newByDomain.map(({ count }) => count)))
  const fitting: string[] = []
  for (const { name, unseenCount } of facts.domains.toSorted((a, b) => b.weight - a.weight)) {
    if (unseenCount > room) break
    room -= unseenCount
    if (unseenCount > 0) fitting.push(name)
  }
  return fitting
}
