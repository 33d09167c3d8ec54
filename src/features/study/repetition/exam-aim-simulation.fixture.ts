import type { Card } from 'ts-fsrs'
import { addDays, type CalendarDay } from '../../../lib/calendar-day.ts'
import { after, DAY_MS, MINUTE_MS } from '../../../lib/time.ts'
import { randomOf } from '../../questions/types/shuffle.ts'
import { dueInstants, type ExamAim } from './exam-aim.ts'
import { nextCard, PUBLISHED_WEIGHTS, schedulerOf, type Weights } from './repetition.ts'

/** Learners of one kind. */
export type AimScenario = {
  readonly name: string
  /** From the first day of study to the exam. */
  readonly days: number
  /** Questions that are missed for the first time each day, until the last 15% of the days. */
  readonly missedADay: number
  /** The learner's own memory; that of FSRS where left out. */
  readonly memory?: Weights
  /** The most reviews of a day; all where left out. */
  readonly mostADay?: number
  /** The day on which the date is set; the first where left out. */
  readonly setOn?: number
  /** Each so many days one day is missed. */
  readonly missesEach?: number
  readonly restDays?: readonly number[]
}

export type AimOutcome = {
  /** Mean recall of all cards on the exam day, in percent. */
  readonly recall: number
  /** Cards remembered on the exam day with less than 80%, in percent. */
  readonly weak: number
  readonly reviews: number
  /** Reviews of each of the last 14 days, the day before the exam last. */
  readonly lastDays: readonly number[]
}

const START: CalendarDay = '2026-03-02'

/** Forgets faster and slower than FSRS expects: stability after the first answers and after each right one. */
const changed = (change: Readonly<Record<number, number>>): Weights =>
  PUBLISHED_WEIGHTS.map((weight, place) => change[place] ?? weight)
export const WEAK_MEMORY = changed({ 0: 0.12, 2: 1.2, 8: 1.55 })
export const STRONG_MEMORY = changed({ 0: 0.5, 2: 5, 8: 2.2 })

export const AIM_ROWS: readonly AimScenario[] = [
  { name: 'a week', days: 7, missedADay: 12 },
  { name: 'two weeks', days: 14, missedADay: 10 },
  { name: 'a month', days: 30, missedADay: 8 },
  { name: 'two months', days: 60, missedADay: 5 },
  { name: 'four months', days: 120, missedADay: 3 },
  { name: 'a year', days: 365, missedADay: 1 },
  { name: 'two months, forgets faster', days: 60, missedADay: 5, memory: WEAK_MEMORY },
  { name: 'two months, forgets slower', days: 60, missedADay: 5, memory: STRONG_MEMORY },
  { name: 'two months, 25 reviews a day', days: 60, missedADay: 5, mostADay: 25 },
  { name: 'two months, every fourth day missed', days: 60, missedADay: 5, missesEach: 4 },
  { name: 'two months, date set after one', days: 60, missedADay: 5, setOn: 30 },
  { name: 'two months, no study on Sundays', days: 60, missedADay: 5, restDays: [7] },
]

type Studied = {
  card: Card
  /** The same answers to the learner's own memory. */
  own: Card
  reviews: number
  readonly seed: number
}

/** A learner who studies until the exam, with cards that are aimed at it or not. Equal seeds make equal luck. */
export function simulateAim(scenario: AimScenario, isAimed: boolean, seed: number): AimOutcome {
  const { days, missedADay, memory = PUBLISHED_WEIGHTS, mostADay = Infinity, missesEach = Infinity } = scenario
  const { setOn = 0, restDays = [] } = scenario
  const aim: ExamAim = {
    examDate: addDays(START, days),
    timeZone: 'UTC',
    restDays,
    repetitionsADay: 0.7 * Math.min(mostADay, 60),
  }
  const cards: Studied[] = []
  const doneOn: number[] = []
  for (let day = 0; day < days; day++) {
    const now = new Date(`${addDays(START, day)}T18:00:00Z`)
    const isRest = (day + 1) % missesEach === 0 || restDays.includes((day % 7) + 1)
    const due = isRest ? [] : dueToday(cards, isAimed && day >= setOn ? aim : null, now).slice(0, mostADay)
    let done = 0
    for (const one of due) done += review(one, memory, now)
    if (!isRest && day < days * 0.85)
      for (let index = 0; index < missedADay; index++) {
        cards.push(firstMiss(memory, now, seed + 7919 * cards.length))
        done += 2
      }
    doneOn.push(done)
  }
  const exam = new Date(`${aim.examDate}T18:00:00Z`)
  const recalls = cards.map((one) => recallOf(one, memory, exam))
  return {
    recall: (100 * recalls.reduce((sum, recall) => sum + recall, 0)) / recalls.length,
    weak: (100 * recalls.filter((recall) => recall < 0.8).length) / recalls.length,
    reviews: doneOn.reduce((sum, count) => sum + count, 0),
    lastDays: doneOn.slice(-14),
  }
}

function dueToday(cards: readonly Studied[], aim: ExamAim | null, now: Date): Studied[] {
  const dues = dueInstants(
    cards.map(({ card }) => card),
    aim,
    now,
  )
  const end = new Date(`${now.toISOString().slice(0, 10)}T23:59:59Z`)
  return cards
    .map((one, place) => ({ one, due: dues[place] ?? end }))
    .filter(({ due }) => due <= end)
    .sort((a, b) => a.due.getTime() - b.due.getTime())
    .map(({ one }) => one)
}

function recallOf({ own }: Studied, memory: Weights, now: Date): number {
  const elapsed = Math.round((now.getTime() - (own.last_review?.getTime() ?? 0)) / DAY_MS)
  return schedulerOf(memory).forgetting_curve(elapsed, own.stability)
}

/** Answers a card, twice when it is missed, and returns how often. */
function review(one: Studied, memory: Weights, now: Date): number {
  one.reviews += 1
  const isRight = randomOf(one.seed + 104_729 * one.reviews)() < recallOf(one, memory, now)
  answer(one, memory, isRight, now)
  if (!isRight) answer(one, memory, true, after(now, 15 * MINUTE_MS))
  return isRight ? 1 : 2
}

function answer(one: Studied, memory: Weights, isRight: boolean, at: Date): void {
  const given = { isRight, isFlagged: false, at }
  one.card = nextCard(one.card, given) ?? one.card
  one.own = nextCard(one.own, given, memory) ?? one.own
}

function firstMiss(memory: Weights, now: Date, seed: number): Studied {
  const missed = { isRight: false, isFlagged: false, at: now }
  const [card, own] = [nextCard(null, missed), nextCard(null, missed, memory)]
  if (card === null || own === null) throw new Error('A missed question has no card.')
  const one: Studied = { card, own, reviews: 0, seed }
  answer(one, memory, true, after(now, 15 * MINUTE_MS))
  return one
}

export type AimRow = {
  readonly name: string
  readonly plain: AimOutcome
  readonly aimed: AimOutcome
  /** Of the difference in recall. */
  readonly recallError: number
  readonly reviewsError: number
}

/** Both kinds of schedule for the same learners. */
export function compareAim(scenario: AimScenario, learners: number, seed: number): AimRow {
  const pairs = Array.from({ length: learners }, (_, index) => ({
    plain: simulateAim(scenario, false, seed + 1_000_003 * index),
    aimed: simulateAim(scenario, true, seed + 1_000_003 * index),
  }))
  return {
    name: scenario.name,
    plain: meanOutcome(pairs.map(({ plain }) => plain)),
    aimed: meanOutcome(pairs.map(({ aimed }) => aimed)),
    recallError: standardError(pairs.map(({ plain, aimed }) => aimed.recall - plain.recall)),
    reviewsError: standardError(pairs.map(({ plain, aimed }) => aimed.reviews - plain.reviews)),
  }
}

function meanOutcome(all: readonly AimOutcome[]): AimOutcome {
  const mean = (of: (one: AimOutcome) => number) => all.reduce((sum, one) => sum + of(one), 0) / all.length
  return {
    recall: mean(({ recall }) => recall),
    weak: mean(({ weak }) => weak),
    reviews: mean(({ reviews }) => reviews),
    lastDays: (all[0]?.lastDays ?? []).map((_, place) => mean(({ lastDays }) => lastDays[place] ?? 0)),
  }
}

function standardError(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1) / values.length)
}

/** The rows as a table of Markdown. */
export function aimTable(rows: readonly AimRow[]): string {
  const head = [
    '| until the exam | recall on the day: FSRS | aimed | reviews: FSRS | aimed | below 80%: FSRS | aimed | most in a last day: FSRS | aimed |',
    '|---|---|---|---|---|---|---|---|---|',
  ]
  const most = ({ lastDays }: AimOutcome) => Math.round(Math.max(...lastDays))
  return [
    ...head,
    ...rows.map(
      ({ name, plain, aimed, recallError, reviewsError }) =>
        `| ${name} | ${plain.recall.toFixed(1)}% | ${aimed.recall.toFixed(1)}% (±${recallError.toFixed(1)}) | ${Math.round(plain.reviews)} | ${Math.round(aimed.reviews)} (±${Math.round(reviewsError)}) | ${plain.weak.toFixed(1)}% | ${aimed.weak.toFixed(1)}% | ${most(plain)} | ${most(aimed)} |`,
    ),
  ].join('\n')
}
