import { dayIn, daysBetween, type CalendarDay } from '../../../lib/calendar-day.ts'
import { curveOf } from '../../attempts/scaled-score.ts'

/** The scale of score reports. */
const LOWEST_SCORE = 100
export const HIGHEST_SCORE = 1000

/** How scores of a course's real exam are reported. */
export type ScoreScale = {
  /** The passing mark of the real exam on its scale; null if only percent are known. */
  readonly passMark: number | null
  /** The passing score of the course's exams, in percent. */
  readonly passingScore: number
}

/** Why a score cannot be that of the result; null if it can. */
export function scoreProblem(
  { score, isPassed }: { readonly score: number | null; readonly isPassed: boolean },
  { passMark }: ScoreScale,
): 'scale' | 'percent' | 'too-low' | 'too-high' | null {
  if (score === null) return null
  if (passMark === null) return score <= 100 ? null : 'percent'
  if (score < LOWEST_SCORE) return 'scale'
  if (isPassed && score < passMark) return 'too-low'
  return !isPassed && score >= passMark ? 'too-high' : null
}

/** A score as percent of right answers, by the curve of the course. */
export function percentOfScore(score: number | null, { passMark, passingScore }: ScoreScale): number | null {
  if (score === null) return null
  if (passMark === null) return score
  const curve = curveOf(passingScore, passMark)
  const next = curve.findIndex(([, scaled]) => scaled > score)
  const [from, to] = [curve[next - 1], curve[next]]
  if (from === undefined || to === undefined) return score >= HIGHEST_SCORE ? 100 : 0
  return from[0] + ((score - from[1]) * (to[0] - from[0])) / (to[1] - from[1])
}

/** Where a learner stands with the exam date of a course: no date, before the day, or from that day on. */
export function examPhase(
  exam: { readonly examDate: CalendarDay; readonly timeZone: string } | null,
  now: Date,
): 'none' | 'before' | 'due' {
  if (exam === null) return 'none'
  return dayIn(now, exam.timeZone) < exam.examDate ? 'before' : 'due'
}

/** No question is asked about an exam that is longer ago. */
export const ASKED_DAYS = 60

/** Whether the learner is asked how an exam went: from the day after it on, in the zone of the plan. */
export function isAskedAbout(exam: { readonly examDate: CalendarDay; readonly timeZone: string }, now: Date): boolean {
  const daysSince = daysBetween(exam.examDate, dayIn(now, exam.timeZone))
  return daysSince > 0 && daysSince <= ASKED_DAYS
}
