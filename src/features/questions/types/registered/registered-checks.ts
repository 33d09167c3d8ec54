// Written by `npm run map` from the folders of the types.
import { choiceChecks } from '../choice/choice-checks.ts'
import { dropDownChecks } from '../drop-down/drop-down-checks.ts'
import { hotSpotChecks } from '../hot-spot/hot-spot-checks.ts'
import { matchingChecks } from '../matching/matching-checks.ts'
import { numericalChecks } from '../numerical/numerical-checks.ts'
import { orderingChecks } from '../ordering/ordering-checks.ts'
import { shortAnswerChecks } from '../short-answer/short-answer-checks.ts'

export const CHECKS = {
  choice: choiceChecks,
  'drop-down': dropDownChecks,
  'hot-spot': hotSpotChecks,
  matching: matchingChecks,
  numerical: numericalChecks,
  ordering: orderingChecks,
  'short-answer': shortAnswerChecks,
} as const
