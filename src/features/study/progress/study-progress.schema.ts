import { z } from 'zod'
import type { Progress } from './study-progress.ts'

const StoredCard = z.object({
  due: z.coerce.date(),
  stability: z.number(),
  difficulty: z.number(),
  elapsed_days: z.number(),
  scheduled_days: z.number(),
  learning_steps: z.number(),
  reps: z.number(),
  lapses: z.number(),
  state: z.number(),
  last_review: z.coerce.date().optional(),
})

const StoredAnswer = z.object({
  key: z.string(),
  domain: z.string(),
  isRight: z.boolean(),
  isFlagged: z.boolean(),
  at: z.coerce.date(),
  attemptId: z.string().nullable(),
  /** Left out for a first answer, and in rows that were stored before it was kept. */
  isRepeated: z.boolean().optional(),
})

const Tally = z.object({ answered: z.number(), right: z.number() })

/** The progress of a learner as it is stored: the map of questions as its entries. */
export const StoredProgress = z.object({
  attemptCount: z.number(),
  questions: z.array(
    z.tuple([
      z.string(),
      z.object({
        lastAt: z.coerce.date(),
        missedAt: z.number().nullable(),
        isFlagged: z.boolean(),
        card: StoredCard.nullable(),
      }),
    ]),
  ),
  newAnswers: z.array(StoredAnswer),
  days: z.array(
    z.object({
      day: z.string(),
      answered: z.number(),
      right: z.number(),
      activeMs: z.number(),
      timedCount: z.number(),
    }),
  ),
  confidence: z.object({ sure: Tally, unsure: Tally }),
})

export function writeProgress({ questions, ...rest }: Progress): string {
  return JSON.stringify({ ...rest, questions: [...questions] })
}

export function readProgress(stored: unknown): Progress {
  const { questions, ...rest } = StoredProgress.parse(stored)
  return { ...rest, questions: new Map(questions) }
}
