// Written by `npm run map` from the folders of the types.
import { choiceStatistics } from '../choice/choice-statistics.ts'
import { dropDownStatistics } from '../drop-down/drop-down-statistics.ts'
import { hotSpotStatistics } from '../hot-spot/hot-spot-statistics.ts'
import { matchingStatistics } from '../matching/matching-statistics.ts'
import { numericalStatistics } from '../numerical/numerical-statistics.ts'
import { orderingStatistics } from '../ordering/ordering-statistics.ts'
import { shortAnswerStatistics } from '../short-answer/short-answer-statistics.ts'

export const STATISTICS = {
  choice: choiceStatistics,
  'drop-down': dropDownStatistics,
  'hot-spot': hotSpotStatistics,
  matching: matchingStatistics,
  numerical: numericalStatistics,
  ordering: orderingStatistics,
  'short-answer': shortAnswerStatistics,
} as const
