// Written by `npm run map` from the folders of the types.
import { choiceFormats } from '../choice/formats/choice-formats.ts'
import { dropDownFormats } from '../drop-down/drop-down-formats.ts'
import { hotSpotFormats } from '../hot-spot/hot-spot-formats.ts'
import { matchingFormats } from '../matching/matching-formats.ts'
import { numericalFormats } from '../numerical/numerical-formats.ts'
import { orderingFormats } from '../ordering/ordering-formats.ts'
import { shortAnswerFormats } from '../short-answer/short-answer-formats.ts'

export const FORMATS = {
  choice: choiceFormats,
  'drop-down': dropDownFormats,
  'hot-spot': hotSpotFormats,
  matching: matchingFormats,
  numerical: numericalFormats,
  ordering: orderingFormats,
  'short-answer': shortAnswerFormats,
} as const
