// Written by `npm run map` from the folders of the types.
import { choiceReview } from '../choice/choice-review.tsx'
import { dropDownReview } from '../drop-down/drop-down-review.tsx'
import { hotSpotReview } from '../hot-spot/hot-spot-review.tsx'
import { matchingReview } from '../matching/matching-review.tsx'
import { numericalReview } from '../numerical/numerical-review.tsx'
import { orderingReview } from '../ordering/ordering-review.tsx'
import { shortAnswerReview } from '../short-answer/short-answer-review.tsx'

export const REVIEWS = {
  choice: choiceReview,
  'drop-down': dropDownReview,
  'hot-spot': hotSpotReview,
  matching: matchingReview,
  numerical: numericalReview,
  ordering: orderingReview,
  'short-answer': shortAnswerReview,
} as const
