import type { ReactNode } from 'react'
import { Markdown } from '../../../ui/markdown-text.tsx'
import { REVIEWS } from './registered/registered-reviews.tsx'
import type { Answer, QuestionForReview, QuestionForTaking, QuestionType } from './question-types.schema.ts'
import type { AnswerReviewProps } from './type-form.ts'
import type { OfType } from './type-grading.ts'

/** How a review shows a type. */
export interface TypeReview<Type extends QuestionType> {
  /** The stem, if the learner's answer stands inside it. */
  readonly Stem?: (props: AnswerReviewProps<Type> & { readonly className: string }) => ReactNode
  /** The parts of the question; each says whether the learner gave it and, if the answer key is shown, whether it is right. */
  Parts(props: AnswerReviewProps<Type>): ReactNode
  /** The suggested and most voted answers; null if the question has neither. */
  Opinions(props: { readonly question: OfType<QuestionForReview, Type> }): ReactNode
  /** An answer in one line, by the labels of the shown parts, such as 'A, C'. */
  answerLabel(
    question: OfType<QuestionForTaking, Type> | OfType<QuestionForReview, Type>,
    answer: OfType<Answer, Type>,
  ): string
}

const registry: { readonly [Type in QuestionType]: TypeReview<Type> } = REVIEWS

/** The review of a type. The cast pairs them: the callers below pass an answer of the type of the question, or none. */
function reviewOf({ type }: { readonly type: QuestionType }): TypeReview<QuestionType> {
  return registry[type] as TypeReview<QuestionType>
}

/** Whether a question holds its answer key. */
export function isWithKey(question: QuestionForTaking | QuestionForReview): question is QuestionForReview {
  return 'explanation' in question
}

/** The stem of a question as a review shows it. */
export function ReviewedStem({
  question,
  answer,
  className,
}: {
  question: QuestionForTaking | QuestionForReview
  answer: Answer | null
  className: string
}) {
  const { Stem } = reviewOf(question)
  if (Stem === undefined) return <Markdown text={question.stem} className={className} />
  return <Stem question={question} answer={answer?.type === question.type ? answer : null} className={className} />
}

/** The parts of a question with the learner's answer, and with the right one if the question holds its answer key. */
export function AnswerReview({
  question,
  answer,
}: {
  question: QuestionForTaking | QuestionForReview
  answer: Answer | null
}) {
  const { Parts } = reviewOf(question)
  return <Parts question={question} answer={answer?.type === question.type ? answer : null} />
}

/** What others take for the right answer, where the bank knows: they do not always agree with the answer key. */
export function KeyOpinions({ question }: { question: QuestionForReview }) {
  const { Opinions } = reviewOf(question)
  return <Opinions question={question} />
}

/** An answer in one line, by the labels of the parts in the order of the question, such as 'A, C'. */
export function answerLabel(question: QuestionForTaking | QuestionForReview, answer: Answer): string {
  return answer.type === question.type ? reviewOf(question).answerLabel(question, answer) : ''
}
