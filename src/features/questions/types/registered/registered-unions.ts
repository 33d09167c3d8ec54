// Written by `npm run map` from the folders of the types.
import type { ChoiceAction } from '../choice/choice-edit.ts'
import type { DropDownAction } from '../drop-down/drop-down-reduce.ts'
import type { HotSpotAction } from '../hot-spot/hot-spot-edit.ts'
import type { MatchingAction } from '../matching/matching-edit.ts'
import type { NumericalAction } from '../numerical/numerical-edit.ts'
import type { OrderingAction } from '../ordering/ordering-edit.ts'
import type { ShortAnswerAction } from '../short-answer/short-answer-edit.ts'
import type { ParsedChoice } from '../choice/formats/choice-parsed.ts'
import type { ParsedDropDown } from '../drop-down/drop-down-formats.ts'
import type { ParsedHotSpot } from '../hot-spot/hot-spot-formats.ts'
import type { ParsedMatching } from '../matching/matching-formats.ts'
import type { ParsedNumerical } from '../numerical/numerical-formats.ts'
import type { ParsedOrdering } from '../ordering/ordering-formats.ts'
import type { ParsedShortAnswer } from '../short-answer/short-answer-formats.ts'

export type RegisteredAction =
  ChoiceAction | DropDownAction | HotSpotAction | MatchingAction | NumericalAction | OrderingAction | ShortAnswerAction

export type RegisteredBody =
  ParsedChoice | ParsedDropDown | ParsedHotSpot | ParsedMatching | ParsedNumerical | ParsedOrdering | ParsedShortAnswer
