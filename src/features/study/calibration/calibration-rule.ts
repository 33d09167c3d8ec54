import { LABEL_DEVIATION } from '../readiness/readiness.ts'

/** Fewer new answers than this do not start a calibration. */
export const LEAST_NEW = 500
/** Nor do fewer than this share of the answers that the last calibration counted. */
const NEW_SHARE = 0.1
/** From so many answers an item on, how far questions lie from their label is estimated; with fewer it is the stated deviation. */
const ENOUGH_PER_ITEM = 10

/** Whether a course is calibrated again: all answers are read each time, so the work stays in proportion to what is new. */
export function isCalibrationDue(of: { readonly newCount: number; readonly countedBefore: number }): boolean {
  return of.newCount >= Math.max(LEAST_NEW, NEW_SHARE * of.countedBefore)
}

/** The stated deviation of questions from their label, or nothing where the answers tell it better. */
export function statedDeviation(responseCount: number, itemCount: number): { itemDeviation?: number } {
  return responseCount >= ENOUGH_PER_ITEM * itemCount ? {} : { itemDeviation: LABEL_DEVIATION }
}

/** One person has one ability in a calibration; whoever studies for months counts as another person each month. */
export function monthOf(at: Date): number {
  return at.getUTCFullYear() * 12 + at.getUTCMonth()
}
