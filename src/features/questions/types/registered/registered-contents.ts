// Written by `npm run map` from the folders of the types.
import { choiceContent } from '../choice/choice-content.ts'
import { dropDownContent } from '../drop-down/drop-down-content.ts'
import { hotSpotContent } from '../hot-spot/hot-spot-content.ts'
import { matchingContent } from '../matching/matching-content.ts'
import { numericalContent } from '../numerical/numerical-content.ts'
import { orderingContent } from '../ordering/ordering-content.ts'
import { shortAnswerContent } from '../short-answer/short-answer-content.ts'

export const CONTENTS = {
  choice: choiceContent,
  'drop-down': dropDownContent,
  'hot-spot': hotSpotContent,
  matching: matchingContent,
  numerical: numericalContent,
  ordering: orderingContent,
  'short-answer': shortAnswerContent,
} as const
