import type { ToldAbility } from '../readiness/exam-shift.ts'

type Told = {
  readonly meanPercent: number
  readonly lowPercent: number
  readonly highPercent: number
  readonly passChance: number
}

/** What a learner was told at the end of a day. */
export type ReadinessDay = Told & {
  /** In the time zone of the plan, or UTC without one, as '2026-11-21'. */
  readonly day: string
  /** The answers that the estimate rests on. */
  readonly answered: number
  readonly realExam: Told
  /** What a later result of the real exam is weighed with. */
  readonly abilities: ToldAbility
}
