import { DAY_MS } from '../../../lib/time.ts'
import { FRESH_DAYS, type CourseItem } from '../readiness/readiness.ts'
import { FULL_LENGTH, SHORT_LENGTH, type DiagnosticLength } from './next-question.ts'
import type { DiagnosticSize } from './diagnostic.schema.ts'

export const LENGTHS: Readonly<Record<DiagnosticSize, DiagnosticLength>> = { full: FULL_LENGTH, short: SHORT_LENGTH }

/** A new diagnostic before this says little that the last one did not. */
export const AGAIN_DAYS = 14

export function againFrom(finishedAt: Date): Date {
  return new Date(finishedAt.getTime() + AGAIN_DAYS * DAY_MS)
}

/** A result is shown while its answers count for the estimate. */
export function isResultShown(finishedAt: Date | null, now: Date): boolean {
  return finishedAt !== null && now.getTime() - finishedAt.getTime() < FRESH_DAYS * DAY_MS
}

/** Below so many answers of the last 30 days a result has no estimate. */
export const TOLD_FROM = 6

/** A guest's diagnostic is deleted so many days after the last thing that was done in it. Its answers count no longer than that. */
export const GUEST_DAYS = FRESH_DAYS

export function guestsKeptFrom(now: Date): Date {
  return new Date(now.getTime() - GUEST_DAYS * DAY_MS)
}

/** How many questions a diagnostic may come to with the questions that can be asked. */
export function mostOf(size: DiagnosticSize, askable: readonly CourseItem[]): number {
  return Math.min(LENGTHS[size].most, askable.length)
}

const SECONDS_A_QUESTION = 75

export function minutesOf(questions: number): number {
  return Math.max(1, Math.round((questions * SECONDS_A_QUESTION) / 60))
}
