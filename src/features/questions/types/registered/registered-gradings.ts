// Written by `npm run map` from the folders of the types.
import { choiceGrading } from '../choice/choice-grading.ts'
import { dropDownGrading } from '../drop-down/drop-down-grading.ts'
import { hotSpotGrading } from '../hot-spot/hot-spot-grading.ts'
import { matchingGrading } from '../matching/matching-grading.ts'
import { numericalGrading } from '../numerical/numerical-grading.ts'
import { orderingGrading } from '../ordering/ordering-grading.ts'
import { shortAnswerGrading } from '../short-answer/short-answer-grading.ts'

export const GRADINGS = {
  choice: choiceGrading,
  'drop-down': dropDownGrading,
  'hot-spot': hotSpotGrading,
  matching: matchingGrading,
  numerical: numericalGrading,
  ordering: orderingGrading,
  'short-answer': shortAnswerGrading,
} as const
