import { derivePartIds } from '../parts/part-ids.ts'
import type { ChoiceQuestion } from './choice.schema.ts'

/** A copy of the question under another key, with option ids of its own. */
export function copyOfChoice(question: ChoiceQuestion, id: string): ChoiceQuestion {
  const ids = derivePartIds(
    id,
    question.options.map(({ text }) => text),
  )
  const next = new Map(question.options.map((option, place) => [option.id, ids[place] ?? '']))
  const renamed = (old: readonly string[]) => old.flatMap((one) => next.get(one) ?? [])
  return {
    ...question,
    id,
    options: question.options.map((option) => ({ ...option, id: next.get(option.id) ?? '' })),
    suggestedOptionIds: renamed(question.suggestedOptionIds),
    mostVotedOptionIds: renamed(question.mostVotedOptionIds),
  }
}
