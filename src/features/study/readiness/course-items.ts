import { blindChance } from '../../questions/types/grading-registry.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import { LABEL_DEVIATION, LABEL_DIFFICULTY, type CourseItem } from './readiness.ts'

/** How hard a question is, as far as answers tell. */
export type CalibratedDifficulty = { readonly difficulty: number; readonly deviation: number }

/** A question as readiness sees it: until it is calibrated, its author's label says how hard it is. */
export function courseItemOf(
  key: string,
  question: Question,
  calibrated: CalibratedDifficulty | undefined,
): CourseItem {
  const { difficulty, deviation } = calibrated ?? {
    difficulty: LABEL_DIFFICULTY[question.difficulty],
    deviation: LABEL_DEVIATION,
  }
  return { key, domain: question.domain, item: { difficulty, deviation, guess: blindChance(question) } }
}
