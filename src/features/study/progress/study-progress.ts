import type { Card } from 'ts-fsrs'
import { after, DAY_MS } from '../../../lib/time.ts'
import { FRESH_DAYS, isNew } from '../readiness/readiness.ts'
import { nextCard } from '../repetition.ts'
import type { StudyAnswer } from '../study.schema.ts'

/** The outcome of a learner's answers to one question. */
export type QuestionProgress = {
  readonly lastAt: Date
  /** The attempt that missed it last, counted from 1; null when it was answered right since. */
  readonly missedAt: number | null
  readonly isFlagged: boolean
  readonly card: Card | null
}

/** The outcome of all answers of a learner in a course. Its size depends on the bank, not on the number of answers. */
export type Progress = {
  readonly attemptCount: number
  /** By question key. */
  readonly questions: ReadonlyMap<string, QuestionProgress>
  /** The new answers that may still count for readiness, oldest first. */
  readonly newAnswers: readonly StudyAnswer[]
}

export const NO_PROGRESS: Progress = { attemptCount: 0, questions: new Map(), newAnswers: [] }

/** The progress after more answers, oldest first. Whether they come at once or attempt by attempt makes no difference. */
export function progressAfter(before: Progress, answers: readonly StudyAnswer[]): Progress {
  const questions = new Map(before.questions)
  const numbers = new Map<string, number>()
  const newAnswers = [...before.newAnswers]
  for (const answer of answers) {
    const { key, isRight, isFlagged, at, attemptId } = answer
    if (attemptId !== null && !numbers.has(attemptId)) numbers.set(attemptId, before.attemptCount + numbers.size + 1)
    const known = questions.get(key)
    if (isNew(known?.lastAt, at)) newAnswers.push(known === undefined ? answer : { ...answer, isRepeated: true })
    const missedNow = attemptId === null ? known?.missedAt : numbers.get(attemptId)
    const missedAt = isRight ? null : (missedNow ?? null)
    questions.set(key, { lastAt: at, missedAt, isFlagged, card: nextCard(known?.card ?? null, answer) })
  }
  const freshFrom = after(answers.at(-1)?.at ?? new Date(0), -FRESH_DAYS * DAY_MS)
  return {
    attemptCount: before.attemptCount + numbers.size,
    questions,
    newAnswers: newAnswers.filter(({ at }) => at > freshFrom),
  }
}

/** How many attempts ago a question was missed, the last attempt being 1; null when it was answered right since. */
export function missedIn({ attemptCount, questions }: Progress, key: string): number | null {
  const missedAt = questions.get(key)?.missedAt ?? null
  return missedAt === null ? null : attemptCount - missedAt + 1
}
