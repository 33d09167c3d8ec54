// Written by `npm run map` from the folders of the types.
import { choicePrint } from '../choice/choice-print.tsx'
import { dropDownPrint } from '../drop-down/drop-down-print.tsx'
import { hotSpotPrint } from '../hot-spot/hot-spot-print.tsx'
import { matchingPrint } from '../matching/matching-print.tsx'
import { numericalPrint } from '../numerical/numerical-print.tsx'
import { orderingPrint } from '../ordering/ordering-print.tsx'
import { shortAnswerPrint } from '../short-answer/short-answer-print.tsx'

export const PRINTS = {
  choice: choicePrint,
  'drop-down': dropDownPrint,
  'hot-spot': hotSpotPrint,
  matching: matchingPrint,
  numerical: numericalPrint,
  ordering: orderingPrint,
  'short-answer': shortAnswerPrint,
} as const
