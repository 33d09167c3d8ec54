import { z } from 'zod'

export const SORTED_BY = ['number', 'facility', 'discrimination', 'time', 'flags'] as const
export type SortedBy = (typeof SORTED_BY)[number]

export const StatisticsPath = z.object({ examId: z.uuid() })
export const VersionFilter = z.object({ version: z.uuid().optional().catch(undefined) })
export const StatisticsFilter = z.object({
  sort: z.enum(SORTED_BY).catch('number'),
  down: z
    .literal('1')
    .transform(() => true)
    .catch(false),
})
export type StatisticsFilter = z.output<typeof StatisticsFilter>

/** What a question does that somebody should look at. */
export const ITEM_FLAGS = [
  'key-doubtful',
  'discriminates-backwards',
  'too-easy',
  'too-hard',
  'discriminates-badly',
] as const
export type ItemFlag = (typeof ITEM_FLAGS)[number]

/** One answer: how many chose it, of all who had the question. */
export type ChoiceStatistics = {
  readonly optionId: string
  readonly text: string
  readonly isRight: boolean
  readonly count: number
}

export type ItemStatistics = {
  readonly questionId: string
  /** Its place in this version of the exam. */
  readonly number: number
  readonly stem: string
  readonly count: number
  readonly blankCount: number
  readonly facility: number
  readonly discrimination: number | null
  readonly choices: readonly ChoiceStatistics[]
  readonly medianMs: number | null
  readonly flags: readonly ItemFlag[]
}

/** Shares of all points of the exam, 0 to 1; the reliability is alpha. */
export type ScoreStatistics = {
  readonly mean: number
  readonly deviation: number
  readonly alpha: number | null
  readonly error: number | null
  readonly passRate: number
}

/** One version of an exam. Below the floor there is only the number of attempts. */
export type ExamStatistics = {
  readonly count: number
  readonly asOf: string
  readonly scores: ScoreStatistics | null
  readonly items: readonly ItemStatistics[]
}
