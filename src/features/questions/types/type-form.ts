import type { Answer, QuestionForReview, QuestionForTaking, QuestionType } from './question-types.schema.ts'
import type { OfType } from './type-grading.ts'

/** What a form to answer receives, of every type. It renders the stem too, as the name of its controls. */
export interface AnswerFormProps<Type extends QuestionType> {
  readonly question: OfType<QuestionForTaking, Type>
  readonly answer: OfType<Answer, Type> | null
  /** The ids of the parts that the learner crossed out. */
  readonly struck: readonly string[]
  /** The question with its answer key, once the answer is checked. The answer is final then. */
  readonly revealed: OfType<QuestionForReview, Type> | null
  /** Nothing can be changed, although no answer key is shown. */
  readonly isDisabled: boolean
  readonly onAnswer: (answer: OfType<Answer, Type> | null) => void
  /** The id of the form that posts the answer where no script runs. Its fields have the names that `answerFromFields` reads. */
  readonly formId?: string | undefined
  /** Crosses a part out, or takes that back; null where nothing can be crossed out. */
  readonly onStrike: ((partId: string) => void) | null
}

/** What the review of an answer receives, of every type. */
export interface AnswerReviewProps<Type extends QuestionType> {
  /** Without an answer key where the review withholds it. */
  readonly question: OfType<QuestionForTaking, Type> | OfType<QuestionForReview, Type>
  readonly answer: OfType<Answer, Type> | null
}
