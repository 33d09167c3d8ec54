// Written by `npm run map` from the folders of the types.
import { ChoiceEdit, ChoiceKey, EditedChoice } from '../choice/choice-edit.schema.ts'
import { DropDownEdit, DropDownKey, EditedDropDown } from '../drop-down/drop-down-edit.schema.ts'
import { HotSpotEdit, HotSpotKey, EditedHotSpot } from '../hot-spot/hot-spot-edit.schema.ts'
import { MatchingEdit, MatchingKey, EditedMatching } from '../matching/matching-edit.schema.ts'
import { NumericalEdit, NumericalKey, EditedNumerical } from '../numerical/numerical-edit.schema.ts'
import { OrderingEdit, OrderingKey, EditedOrdering } from '../ordering/ordering-edit.schema.ts'
import { ShortAnswerEdit, ShortAnswerKey, EditedShortAnswer } from '../short-answer/short-answer-edit.schema.ts'

export const EDITS = [
  ChoiceEdit,
  DropDownEdit,
  HotSpotEdit,
  MatchingEdit,
  NumericalEdit,
  OrderingEdit,
  ShortAnswerEdit,
] as const

export const KEYS = [
  ChoiceKey,
  DropDownKey,
  HotSpotKey,
  MatchingKey,
  NumericalKey,
  OrderingKey,
  ShortAnswerKey,
] as const

export const EDITED = [
  EditedChoice,
  EditedDropDown,
  EditedHotSpot,
  EditedMatching,
  EditedNumerical,
  EditedOrdering,
  EditedShortAnswer,
] as const
