import { STATISTICS } from './registered/registered-statistics.ts'
import type { Answer, Question, QuestionType } from './question-types.schema.ts'
import type { AnswerCount, PartCount, StatisticsLabels, TypeStatistics } from './type-statistics.ts'

const registry: { readonly [Type in QuestionType]: TypeStatistics<Type> } = STATISTICS

/** The statistics of a type. The cast is safe because the callers below pass values of equal type. */
function statisticsOf({ type }: { readonly type: QuestionType }): TypeStatistics<QuestionType> {
  return registry[type] as TypeStatistics<QuestionType>
}

/** How often each part was answered. Answers of another type, which a former version of the question had, count nowhere. */
export function countParts(question: Question, given: readonly AnswerCount<Answer>[]): PartCount[] {
  const fitting = given.filter(({ answer }) => answer.type === question.type)
  return statisticsOf(question).countParts(question, fitting)
}

/** Whether learners prefer a wrong answer, so that the answer key should be checked. */
export function isKeyDoubtful(type: QuestionType, parts: readonly PartCount[]): boolean {
  return registry[type].isKeyDoubtful(parts)
}

/** The words for the parts of a question in the table of its exam. */
export function statisticsLabels(type: QuestionType): StatisticsLabels {
  return registry[type].labels
}
