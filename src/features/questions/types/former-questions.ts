import { renamed } from '../../../lib/former-names.ts'
import { withType } from './former-answers.ts'

/** A question for review, as an earlier build stored it in a browser, with current field names and its type. */
export function withCurrentFields(question: unknown): unknown {
  return withType(
    renamed(question, {
      answers: 'options',
      rightAnswerIds: 'rightOptionIds',
      suggestedAnswerIds: 'suggestedOptionIds',
      mostVotedAnswerIds: 'mostVotedOptionIds',
    }),
  )
}
