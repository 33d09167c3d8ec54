// Written by `npm run map` from the folders of the types.
import { choiceForm } from '../choice/choice-answer-form.tsx'
import { dropDownForm } from '../drop-down/drop-down-answer-form.tsx'
import { hotSpotForm } from '../hot-spot/hot-spot-answer-form.tsx'
import { matchingForm } from '../matching/matching-answer-form.tsx'
import { numericalForm } from '../numerical/numerical-answer-form.tsx'
import { orderingForm } from '../ordering/ordering-answer-form.tsx'
import { shortAnswerForm } from '../short-answer/short-answer-form.tsx'

export const FORMS = {
  choice: choiceForm,
  'drop-down': dropDownForm,
  'hot-spot': hotSpotForm,
  matching: matchingForm,
  numerical: numericalForm,
  ordering: orderingForm,
  'short-answer': shortAnswerForm,
} as const
