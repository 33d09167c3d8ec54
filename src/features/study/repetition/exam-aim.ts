import { Rating, type Card, type FSRSState } from 'ts-fsrs'
import { addDays, dayCounter, dayIn, daysBetween, weekdayOf, type CalendarDay } from '../../../lib/calendar-day.ts'
import { evenLevel } from './even-level.ts'
import { isMissed, PUBLISHED_WEIGHTS, schedulerOf, type Weights } from './repetition.ts'

/** The exam that cards are aimed at. */
export type ExamAim = {
  readonly examDate: CalendarDay
  /** The zone in which the learner's days begin and end. */
  readonly timeZone: string
  /** Weekdays without study: 1 is Monday, 7 is Sunday. */
  readonly restDays: readonly number[]
  /** How many repetitions a day may have. */
  readonly repetitionsADay: number
}

const ANSWER_SECONDS = 90
/** The rest of a day's time is for questions that are missed once more, and for new ones. */
const REPETITION_SHARE = 0.7

/** The aim of a learner's plan. */
export function aimOf(
  plan: Pick<ExamAim, 'examDate' | 'timeZone' | 'restDays'> & { readonly minutesADay: number },
): ExamAim {
  const { examDate, timeZone, restDays, minutesADay } = plan
  const repetitionsADay = Math.max(1, Math.floor((REPETITION_SHARE * minutesADay * 60) / ANSWER_SECONDS))
  return { examDate, timeZone, restDays, repetitionsADay }
}

/** How much recall on the exam day, from 0 to 1, a repetition must bring to be worth the learner's time. */
export const LEAST_GAIN = 0.03
/** A repetition is not put off until recall would be lower than this: FSRS may be wrong about a card. */
export const LEAST_RECALL = 0.8
/** The last repetitions take as few days before the exam as hold them at this number a day. */
const LAST_A_DAY = 40
export const LAST_DAYS = { least: 3, most: 21 }
/** The day before the exam gets half as much as the others. */
const LIGHT_SHARE = 0.5

/**
 * When each card is due, in the order of the cards. FSRS alone knows no exam: it lets a card rest until recall falls to 90%, even if the
 * exam is long before that. Until the exam day this puts the last repetition of a card shortly before the exam instead:
 *
 * - A card that FSRS would show after the exam gets a last repetition before it, if that raises recall on the exam day by `LEAST_GAIN`.
 * - A card whose next repetition would be its last one before the exam waits for the last days, if recall on the exam day is worth
 *   more so than with the repetition now (and perhaps another one).
 * - All others keep the interval of FSRS, as do missed cards, which are due at once.
 *
 * The last repetitions are spread evenly over the last days, the day before the exam half full, together with what is due there
 * anyway and what was done today. Cards that are remembered longest come first.
 *
 * It depends on nothing but what is given: a date that is set, moved or removed counts for all cards at once, and a missed day is
 * spread over the others. From the exam day on, and without a date, the days are those of FSRS.
 */
export function dueInstants(
  cards: readonly Card[],
  aim: ExamAim | null,
  now: Date,
  weights: Weights = PUBLISHED_WEIGHTS,
): Date[] {
  if (aim === null) return cards.map(({ due }) => due)
  const today = dayIn(now, aim.timeZone)
  if (today >= aim.examDate) return cards.map(({ due }) => due)
  const dayOf = dayCounter(today, aim.timeZone)
  const dated = cards.map((card): DatedCard => {
    return { card, due: dayOf(card.due), last: dayOf(card.last_review ?? card.due) }
  })
  const exam = daysBetween(today, aim.examDate)
  const gains = dated.map((one) => gainOfLast(one, exam, weights))
  const slots = lastSlots(dated, gains, { ...aim, exam, today })
  return dated.map(({ card }, place) => {
    const slot = slots.get(place)
    return slot === undefined ? card.due : instantOn(addDays(today, slot), aim.timeZone)
  })
}

/** A card with its days, counted from today in the learner's zone. */
type DatedCard = { readonly card: Card; readonly due: number; readonly last: number }

/**
 * What recall on the exam day gains, less the price of repetitions, if the next repetition of a card is its last one, shortly before
 * the exam. Zero or less: the interval of FSRS is better.
 */
function gainOfLast({ card, due, last }: DatedCard, exam: number, weights: Weights): number {
  // About where it would be; the day is found when all cards are known.
  const day = Math.max(0, last + 1, exam - 2)
  if (isMissed(card) || day >= exam) return 0
  const memory = memoryOf(weights, exam)
  const put = { state: card, last }
  const next = Math.max(0, last + 1, due)
  if (next >= day) return memory.repeated(put, day) - memory.recall(put)
  if (memory.recallOn(put, day) < LEAST_RECALL) return 0
  // Another repetition fits between the next one and the last days.
  if (memory.afterRight(put, next).due < day) return 0
  return memory.repeated(put, day) - memory.repeated(put, next, day)
}

/** A card's memory on the day of its last repetition. */
type Remembered = { readonly state: FSRSState; readonly last: number }

/** What FSRS expects of a card until the exam. */
function memoryOf(weights: Weights, exam: number) {
  const scheduler = schedulerOf(weights)
  const recallOn = ({ state, last }: Remembered, day: number) =>
    scheduler.forgetting_curve(Math.max(0, day - last), state.stability)
  const recall = (put: Remembered) => recallOn(put, exam)
  const rated = ({ state, last }: Remembered, day: number, rating: Rating.Again | Rating.Good): Remembered => ({
    state: scheduler.next_state(state, day - last, rating),
    last: day,
  })
  /** A missed card is asked again on the same day until it is right. */
  const afterWrong = (put: Remembered, day: number) => rated(rated(put, day, Rating.Again), day, Rating.Good)
  /** Recall on the exam day after a repetition, perhaps with a second one, less what the repetitions cost. */
  function repeated(put: Remembered, day: number, second?: number): number {
    const right = recallOn(put, day)
    const worthOf = (one: Remembered) =>
      second === undefined ? recall(one) : Math.max(recall(one), repeated(one, second))
    const expected = right * worthOf(rated(put, day, Rating.Good)) + (1 - right) * worthOf(afterWrong(put, day))
    return expected - LEAST_GAIN * (1 + (1 - right))
  }
  const afterRight = (put: Remembered, day: number) => {
    const { state } = rated(put, day, Rating.Good)
    return { due: day + scheduler.next_interval(state.stability, 0) }
  }
  return { recall, recallOn, repeated, afterRight }
}

type Days = Pick<ExamAim, 'restDays' | 'repetitionsADay'> & { readonly exam: number; readonly today: CalendarDay }

/** The day of the last repetition of each card that has one, by its place. */
function lastSlots(cards: readonly DatedCard[], gains: readonly number[], days: Days): Map<number, number> {
  const wanted = cards.flatMap((one, place) => {
    const gain = gains[place] ?? 0
    return gain > 0 ? [{ ...one, place, gain }] : []
  })
  const open = openDays(wanted.length, days)
  const others = cards.filter((_, place) => (gains[place] ?? 0) <= 0)
  const loads = open.map((day) => others.filter((one) => isLoadOf(day, one)).length)
  const roomAt = (level: number) =>
    open.map((day, place) =>
      Math.max(0, Math.floor(level * (day === days.exam - 1 ? LIGHT_SHARE : 1)) - (loads[place] ?? 0)),
    )
  const rooms = roomAt(evenLevel(roomAt, wanted.length, days.repetitionsADay))
  const room = rooms.reduce((sum, one) => sum + one, 0)
  const chosen = wanted.toSorted((a, b) => b.gain - a.gain || a.place - b.place).slice(0, room)
  const inOrder = chosen.toSorted((a, b) => b.card.stability - a.card.stability || a.place - b.place)
  return fill(inOrder, open, rooms)
}

/** Whether a day has a repetition of a card already: because it is due then, or because it was done today. */
function isLoadOf(day: number, { due, last }: DatedCard): boolean {
  return Math.max(0, due) === day || (day === 0 && last === 0)
}

/** Fills the days one after the other. A card that was answered on a day waits for a later one. */
function fill(
  cards: readonly (DatedCard & { readonly place: number })[],
  days: readonly number[],
  rooms: readonly number[],
): Map<number, number> {
  const slots = new Map<number, number>()
  let left = cards
  for (const [place, day] of days.entries()) {
    const isEnd = place === days.length - 1
    const taken = left.filter(({ last }) => last < day).slice(0, isEnd ? undefined : (rooms[place] ?? 0))
    for (const one of taken) slots.set(one.place, day)
    const isTaken = new Set(taken)
    left = left.filter((one) => !isTaken.has(one))
  }
  return slots
}

/** The days for last repetitions, oldest first. Days of rest are left out unless there are no others. */
function openDays(count: number, { exam, today, restDays, repetitionsADay }: Days): number[] {
  const wanted = Math.ceil(count / Math.min(LAST_A_DAY, repetitionsADay) + 1 - LIGHT_SHARE)
  const length = Math.min(LAST_DAYS.most, Math.max(LAST_DAYS.least, wanted))
  const all = Array.from({ length }, (_, index) => exam - length + index).filter((day) => day >= 0)
  const studied = all.filter((day) => !restDays.includes(weekdayOf(addDays(today, day))))
  return studied.length > 0 ? studied : all
}

/** An instant that is on this day both in the zone and in UTC: noon in UTC, or in the far east its midnight. */
export function instantOn(day: CalendarDay, timeZone: string): Date {
  const noon = new Date(`${day}T12:00:00Z`)
  return dayIn(noon, timeZone) === day ? noon : new Date(`${day}T00:00:00Z`)
}
