import type { ReactNode } from 'react'
import { ChoiceAnswerForm } from './choice/choice-answer-form.tsx'
import { answerWithOption } from './choice/choice-answering.ts'
import { HotSpotAnswerForm } from './hot-spot/hot-spot-answer-form.tsx'
import { answerWithArea } from './hot-spot/hot-spot-grading.ts'
import { MatchingAnswerForm } from './matching/matching-answer-form.tsx'
import { answerWithKeyedOption } from './matching/matching-grading.ts'
import { NumericalAnswerForm } from './numerical/numerical-answer-form.tsx'
import { DropDownAnswerForm } from './drop-down/drop-down-answer-form.tsx'
import { OrderingAnswerForm } from './ordering/ordering-answer-form.tsx'
import { answerWithKeyedItem } from './ordering/ordering-grading.ts'
import { ShortAnswerForm } from './short-answer/short-answer-form.tsx'
import type { Answer, QuestionForReview, QuestionForTaking, QuestionType } from './question-types.schema.ts'
import type { AnswerFormProps } from './type-form.ts'
import type { OfType } from './type-grading.ts'

/** How learners answer a type. */
interface TypeForm<Type extends QuestionType> {
  Form(props: AnswerFormProps<Type>): ReactNode
  /**
   * The answer after a key that names a part: 1 or A is place 0. Equal to the former answer if the key changes nothing;
   * undefined if it has no meaning.
   */
  answerByKey(
    question: OfType<QuestionForTaking, Type>,
    answer: OfType<Answer, Type> | null,
    place: number,
  ): OfType<Answer, Type> | null | undefined
  /** The id of the part that such a key crosses out with Shift; null if it has no meaning. */
  struckByKey(question: OfType<QuestionForTaking, Type>, place: number): string | null
}

/** An answer that is written has no parts that a key could name. */
const withoutKeys = { answerByKey: () => undefined, struckByKey: () => null }

/** The forms are in the bundle of the exam screen: a form that loads later would flash between two questions. */
const registry: { readonly [Type in QuestionType]: TypeForm<Type> } = {
  choice: {
    Form: ChoiceAnswerForm,
    answerByKey(question, answer, place) {
      const option = question.options[place]
      return option === undefined ? undefined : answerWithOption(question, answer, option.id)
    },
    struckByKey: ({ options }, place) => options[place]?.id ?? null,
  },
  'hot-spot': {
    Form: HotSpotAnswerForm,
    answerByKey(question, answer, place) {
      const area = question.areas[place]
      return area === undefined ? undefined : answerWithArea(question, answer, area.id)
    },
    struckByKey: ({ areas }, place) => areas[place]?.id ?? null,
  },
  // A key would have to name a gap and a choice, and the arrows change the select that has the focus.
  'drop-down': { Form: DropDownAnswerForm, answerByKey: () => undefined, struckByKey: () => null },
  ordering: {
    Form: OrderingAnswerForm,
    answerByKey: answerWithKeyedItem,
    struckByKey: ({ items, stepCount }, place) => (items.length > stepCount ? (items[place]?.id ?? null) : null),
  },
  numerical: { Form: NumericalAnswerForm, ...withoutKeys },
  'short-answer': { Form: ShortAnswerForm, ...withoutKeys },
  matching: {
    Form: MatchingAnswerForm,
    answerByKey: answerWithKeyedOption,
    struckByKey: ({ options }, place) => options[place]?.id ?? null,
  },
}

/** The form of a type. The cast pairs them: the callers below pass an answer of the type of the question, or none. */
function formOf({ type }: { readonly type: QuestionType }): TypeForm<QuestionType> {
  return registry[type] as TypeForm<QuestionType>
}

/** An answer of another type, which a former version of the question had, counts as none. */
function ownAnswer(question: QuestionForTaking, answer: Answer | null): Answer | null {
  return answer?.type === question.type ? answer : null
}

/** A question with the controls to answer it. */
export function AnswerForm(props: {
  question: QuestionForTaking
  answer: Answer | null
  struck: readonly string[]
  revealed: QuestionForReview | null
  isDisabled: boolean
  /** The id of the form that posts the answer where no script runs. */
  formId?: string
  onAnswer: (answer: Answer | null) => void
  /** Null where nothing can be crossed out. */
  onStrike: ((partId: string) => void) | null
}) {
  const { Form } = formOf(props.question)
  return <Form {...props} answer={ownAnswer(props.question, props.answer)} />
}

export function answerByKey(
  question: QuestionForTaking,
  answer: Answer | null,
  place: number,
): Answer | null | undefined {
  return formOf(question).answerByKey(question, ownAnswer(question, answer), place)
}

export function struckByKey(question: QuestionForTaking, place: number): string | null {
  return formOf(question).struckByKey(question, place)
}
