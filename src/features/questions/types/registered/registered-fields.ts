// Written by `npm run map` from the folders of the types.
import { CHOICE_MARK, CHOICE_FACTS } from '../choice/formats/choice-fields.ts'
import { DROP_DOWN_MARK, DROP_DOWN_HAS_GAPS } from '../drop-down/drop-down-fields.ts'
import { HOT_SPOT_MARK } from '../hot-spot/hot-spot-fields.ts'
import { MATCHING_MARK, MATCHING_FACTS } from '../matching/matching-fields.ts'
import { NUMERICAL_MARK, NUMERICAL_FACTS } from '../numerical/numerical-fields.ts'
import { ORDERING_MARK } from '../ordering/ordering-fields.ts'
import { SHORT_ANSWER_MARK, SHORT_ANSWER_FACTS } from '../short-answer/short-answer-fields.ts'

export const MARKS = {
  choice: CHOICE_MARK,
  'drop-down': DROP_DOWN_MARK,
  'hot-spot': HOT_SPOT_MARK,
  matching: MATCHING_MARK,
  numerical: NUMERICAL_MARK,
  ordering: ORDERING_MARK,
  'short-answer': SHORT_ANSWER_MARK,
} as const

export const FACTS = {
  choice: CHOICE_FACTS,
  matching: MATCHING_FACTS,
  numerical: NUMERICAL_FACTS,
  'short-answer': SHORT_ANSWER_FACTS,
} as const

export const HAS_GAPS = {
  'drop-down': DROP_DOWN_HAS_GAPS,
} as const
