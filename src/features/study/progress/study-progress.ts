import type { Card } from 'ts-fsrs'
import { addDays, dayCounter } from '../../../lib/calendar-day.ts'
import { after, DAY_MS } from '../../../lib/time.ts'
import { FRESH_DAYS, isNew } from '../readiness/readiness.ts'
import { nextCard, PUBLISHED_WEIGHTS, type Weights } from '../repetition/repetition.ts'
import type { StudyAnswer } from '../study.schema.ts'

/** The outcome of a learner's answers to one question. */
export type QuestionProgress = {
  readonly lastAt: Date
  /** The attempt that missed it last, counted from 1; null when it was answered right since. */
  readonly missedAt: number | null
  readonly isFlagged: boolean
  readonly card: Card | null
}

/** The answers of one day; blanks are not counted. */
export type StudyDay = {
  /** In the learner's zone, as '2026-11-21'. */
  readonly day: string
  readonly answered: number
  readonly right: number
  /** The time that the exam page measured, and the number of answers that it measured. */
  readonly activeMs: number
  readonly timedCount: number
}

type Tally = { readonly answered: number; readonly right: number }

/** Answers by what the learner said of them in the exam. */
export type ConfidenceTally = { readonly sure: Tally; readonly unsure: Tally }

/** An answer with what the exam page kept of it. */
export type MeasuredAnswer = StudyAnswer & {
  readonly isBlank?: boolean
  readonly activeMs?: number
  readonly confidence?: 'sure' | 'unsure' | null
}

/** The outcome of all answers of a learner in a course. Its size depends on the bank and the days, not on the number of answers. */
export type Progress = {
  readonly attemptCount: number
  /** By question key. */
  readonly questions: ReadonlyMap<string, QuestionProgress>
  /** The new answers that may still count for readiness, oldest first. */
  readonly newAnswers: readonly StudyAnswer[]
  /** Days with answers, oldest first. */
  readonly days: readonly StudyDay[]
  readonly confidence: ConfidenceTally
}

const NO_TALLY: Tally = { answered: 0, right: 0 }
export const NO_PROGRESS: Progress = {
  attemptCount: 0,
  questions: new Map(),
  newAnswers: [],
  days: [],
  confidence: { sure: NO_TALLY, unsure: NO_TALLY },
}

/** By what progress is computed: the parameters of FSRS, and the zone in whose days answers are counted. */
type ProgressOf = { readonly weights?: Weights; readonly timeZone?: string }

/** The progress after more answers, oldest first. Whether they come at once or attempt by attempt makes no difference. */
export function progressAfter(
  before: Progress,
  answers: readonly MeasuredAnswer[],
  { weights = PUBLISHED_WEIGHTS, timeZone = 'UTC' }: ProgressOf = {},
): Progress {
  const questions = new Map(before.questions)
  const numbers = new Map<string, number>()
  const newAnswers = [...before.newAnswers]
  for (const measured of answers) {
    const { isBlank: _, activeMs: _ms, confidence: _said, ...answer } = measured
    const { key, isRight, isFlagged, at, attemptId } = answer
    if (attemptId !== null && !numbers.has(attemptId)) numbers.set(attemptId, before.attemptCount + numbers.size + 1)
    const known = questions.get(key)
    if (isNew(known?.lastAt, at)) newAnswers.push(known === undefined ? answer : { ...answer, isRepeated: true })
    const missedNow = attemptId === null ? known?.missedAt : numbers.get(attemptId)
    const missedAt = isRight ? null : (missedNow ?? null)
    questions.set(key, { lastAt: at, missedAt, isFlagged, card: nextCard(known?.card ?? null, answer, weights) })
  }
  const freshFrom = after(answers.at(-1)?.at ?? new Date(0), -FRESH_DAYS * DAY_MS)
  return {
    attemptCount: before.attemptCount + numbers.size,
    questions,
    newAnswers: newAnswers.filter(({ at }) => at > freshFrom),
    days: daysAfter(before.days, answers, timeZone),
    confidence: confidenceAfter(before.confidence, answers),
  }
}

const EPOCH = '1970-01-01'

function daysAfter(before: readonly StudyDay[], answers: readonly MeasuredAnswer[], timeZone: string): StudyDay[] {
  const days = [...before]
  const daysUntil = dayCounter(EPOCH, timeZone)
  for (const { at, isRight, isBlank = false, activeMs = 0 } of answers) {
    const day = addDays(EPOCH, daysUntil(at))
    const last = days.at(-1)?.day === day ? days.pop() : undefined
    const { answered, right, ...times } = last ?? { answered: 0, right: 0, activeMs: 0, timedCount: 0 }
    days.push({
      day,
      answered: answered + (isBlank ? 0 : 1),
      right: right + (isRight ? 1 : 0),
      activeMs: times.activeMs + activeMs,
      timedCount: times.timedCount + (activeMs > 0 ? 1 : 0),
    })
  }
  return days
}

function confidenceAfter(before: ConfidenceTally, answers: readonly MeasuredAnswer[]): ConfidenceTally {
  const after = (said: 'sure' | 'unsure'): Tally => {
    const those = answers.filter(({ confidence, isBlank = false }) => confidence === said && !isBlank)
    return {
      answered: before[said].answered + those.length,
      right: before[said].right + those.filter(({ isRight }) => isRight).length,
    }
  }
  return { sure: after('sure'), unsure: after('unsure') }
}

/** The progress at the end of each day on which something was answered, and the last answer of the day; oldest first. */
export function progressByDay(
  before: Progress,
  answers: readonly MeasuredAnswer[],
  by: ProgressOf = {},
): { day: string; lastAt: Date; progress: Progress }[] {
  const byDay = new Map<number, MeasuredAnswer[]>()
  const daysUntil = dayCounter(EPOCH, by.timeZone ?? 'UTC')
  for (const answer of answers) {
    const number = daysUntil(answer.at)
    const ofDay = byDay.get(number)
    if (ofDay === undefined) byDay.set(number, [answer])
    else ofDay.push(answer)
  }
  let progress = before
  return [...byDay].map(([number, ofDay]) => {
    progress = progressAfter(progress, ofDay, by)
    return { day: addDays(EPOCH, number), lastAt: ofDay.at(-1)!.at, progress }
  })
}

/** How many attempts ago a question was missed, the last attempt being 1; null when it was answered right since. */
export function missedIn({ attemptCount, questions }: Progress, key: string): number | null {
  const missedAt = questions.get(key)?.missedAt ?? null
  return missedAt === null ? null : attemptCount - missedAt + 1
}
