import type { QuestionType } from '../../questions/types/question-types.schema.ts'
import type { PartCount } from '../../questions/types/type-statistics.ts'
import { z } from 'zod'
import type { ItemCalibration } from '../calibrations/item-calibration.schema.ts'

const SORTED_BY = ['number', 'facility', 'discrimination', 'difficulty', 'time', 'flags'] as const
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

/** Why a question should be reviewed. */
const ITEM_FLAGS = ['key-doubtful', 'discriminates-backwards', 'too-easy', 'too-hard', 'discriminates-badly'] as const
export type ItemFlag = (typeof ITEM_FLAGS)[number]

export type ItemStatistics = {
  readonly questionId: string
  /** Null until the course is calibrated with this answer key. */
  readonly calibration: ItemCalibration | null
  readonly type: QuestionType
  /** Its number in this version of the exam, from 1. */
  readonly number: number
  readonly stem: string
  /** The title of its case study. */
  readonly caseStudy: string | null
  readonly count: number
  readonly blankCount: number
  readonly facility: number
  readonly discrimination: number | null
  readonly parts: readonly PartCount[]
  readonly medianMs: number | null
  readonly flags: readonly ItemFlag[]
}

/** Shares of all points of the exam, from 0 to 1. */
export type ScoreStatistics = {
  readonly mean: number
  readonly deviation: number
  readonly alpha: number | null
  readonly error: number | null
  readonly passRate: number
}

/** Statistics of one version of an exam. Below STATISTICS_FLOOR they have only the number of attempts. */
export type ExamStatistics = {
  readonly count: number
  readonly asOf: string
  readonly scores: ScoreStatistics | null
  readonly items: readonly ItemStatistics[]
}
