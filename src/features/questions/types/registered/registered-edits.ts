// Written by `npm run map` from the folders of the types.
import { choiceEditing } from '../choice/choice-edit.ts'
import { dropDownEditing } from '../drop-down/drop-down-edit.ts'
import { hotSpotEditing } from '../hot-spot/hot-spot-edit.ts'
import { matchingEditing } from '../matching/matching-edit.ts'
import { numericalEditing } from '../numerical/numerical-edit.ts'
import { orderingEditing } from '../ordering/ordering-edit.ts'
import { shortAnswerEditing } from '../short-answer/short-answer-edit.ts'

export const EDITINGS = {
  choice: choiceEditing,
  'drop-down': dropDownEditing,
  'hot-spot': hotSpotEditing,
  matching: matchingEditing,
  numerical: numericalEditing,
  ordering: orderingEditing,
  'short-answer': shortAnswerEditing,
} as const
