import { z } from 'zod'
import { isCalendarDay } from '../../../lib/calendar-day.ts'
import { failureTable } from '../../../lib/failure.ts'
import { HIGHEST_SCORE } from './exam-results.ts'
import { copy } from './exam-results.copy.ts'

/** How an exam went. The score is as on the report, and may be left out. */
export const ResultReport = z.object({
  isPassed: z.boolean(copy['result.passed.needed']),
  score: z
    .int(copy['result.score.wrong'])
    .min(0, copy['result.score.wrong'])
    .max(HIGHEST_SCORE, copy['result.score.wrong'])
    .nullable()
    .default(null),
})
export type ResultReport = z.infer<typeof ResultReport>

/** A first report, about the exam of that day; without a day about that of the plan. */
export const FirstReport = ResultReport.extend({ examDate: z.string().refine(isCalendarDay).optional() })

export const ResultCoursePath = z.object({ courseSlug: z.string().min(1).max(300) })
export const ResultPath = ResultCoursePath.extend({ examDate: z.string().refine(isCalendarDay) })
export const PledgePath = z.object({ pledgeId: z.uuid() })
export const Publication = z.object({ isPublic: z.boolean() })

const Told = z.object({
  meanPercent: z.number(),
  lowPercent: z.number(),
  highPercent: z.number(),
  passChance: z.number(),
})
const Normal = z.object({ mean: z.number(), deviation: z.number() })
/** What a learner was told last before an exam, as a day of their readiness. */
export const ToldDay = Told.extend({
  day: z.string(),
  answered: z.number(),
  realExam: Told,
  abilities: z.object({
    advantage: Normal,
    spread: z.number(),
    guess: z.number(),
    questions: z.number(),
    passingPercent: z.number(),
  }),
})
export type ToldDay = z.infer<typeof ToldDay>

export const DeclinePledge = z.object({
  reason: z
    .string(copy['pledge.reason.needed'])
    .trim()
    .min(1, copy['pledge.reason.needed'])
    .max(500, copy['pledge.reason.long']),
})

/** A reported result, for its learner. */
export type ResultView = {
  readonly examDate: string
  readonly isPassed: boolean
  readonly score: number | null
  readonly reportedAt: string
  /** What they were told last before the exam; null without a forecast. */
  readonly told: Pick<ToldDay, 'day' | 'realExam'> | null
}

export const PLEDGE_STATES = ['given', 'asked', 'accepted', 'declined'] as const
export const PledgeState = z.enum(PLEDGE_STATES)
export type PledgeState = z.infer<typeof PledgeState>

/** An exam whose result was not told yet. */
export type ResultQuestion = {
  readonly courseId: string
  readonly courseSlug: string
  readonly courseTitle: string
  readonly examDate: string
}

export const fail = failureTable({
  'result.no-date': { status: 409, kind: 'validation', sentence: copy['result.no-date'] },
  'result.early': { status: 409, kind: 'validation', sentence: copy['result.early'] },
  'result.reported': { status: 409, kind: 'validation', sentence: copy['result.reported'] },
  'result.not-found': { status: 404, kind: 'database', sentence: copy['result.not-found'] },
  'result.score': { status: 400, kind: 'validation', sentence: copy['result.score.wrong'] },
  'result.pledged': { status: 409, kind: 'validation', sentence: copy['result.pledged'] },
  'pledge.not-found': { status: 404, kind: 'database', sentence: copy['pledge.not-found'] },
  'pledge.decided': { status: 409, kind: 'validation', sentence: copy['pledge.decided'] },
})
