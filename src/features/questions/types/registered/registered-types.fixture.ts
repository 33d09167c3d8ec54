// Written by `npm run map` from the folders of the types.
import { exampleChoice, anyChoiceFields } from '../choice/any-choice.fixture.ts'
import { exampleDropDown, anyDropDownFields } from '../drop-down/any-drop-down.fixture.ts'
import { exampleHotSpot, anyHotSpotFields } from '../hot-spot/any-hot-spot.fixture.ts'
import { exampleMatching, anyMatchingFields } from '../matching/any-matching.fixture.ts'
import { exampleNumerical, anyNumericalFields } from '../numerical/any-numerical.fixture.ts'
import { exampleOrdering, anyOrderingFields } from '../ordering/any-ordering.fixture.ts'
import { exampleShortAnswer, anyShortAnswerFields } from '../short-answer/any-short-answer.fixture.ts'

export const EXAMPLES = {
  choice: exampleChoice,
  'drop-down': exampleDropDown,
  'hot-spot': exampleHotSpot,
  matching: exampleMatching,
  numerical: exampleNumerical,
  ordering: exampleOrdering,
  'short-answer': exampleShortAnswer,
} as const

export const ANY_FIELDS = {
  choice: anyChoiceFields,
  'drop-down': anyDropDownFields,
  'hot-spot': anyHotSpotFields,
  matching: anyMatchingFields,
  numerical: anyNumericalFields,
  ordering: anyOrderingFields,
  'short-answer': anyShortAnswerFields,
} as const
