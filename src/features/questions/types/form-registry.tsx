import type { ReactNode } from 'react'
import { FORMS } from './registered/registered-forms.tsx'
import type { Answer, QuestionForReview, QuestionForTaking, QuestionType } from './question-types.schema.ts'
import type { AnswerFormProps } from './type-form.ts'
import type { OfType } from './type-grading.ts'

/** How learners answer a type. */
export interface TypeForm<Type extends QuestionType> {
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

/** The forms are in the bundle of the exam screen: a form that loads later would flash between two questions. */
const registry: { readonly [Type in QuestionType]: TypeForm<Type> } = FORMS

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
