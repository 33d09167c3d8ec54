import { sha256Hex } from '../../../../lib/sha256.ts'
import type { ChoiceQuestion } from './choice.schema.ts'

/** The id of an option that a file gives none: the same wherever and whenever the file is read. */
export function deriveOptionId(questionId: string, text: string): string {
  return sha256Hex(`${questionId}\n${text}`).slice(0, 8)
}

/** As `deriveOptionId`, for all options of a question. An option with the text of an earlier one gets `-2`, `-3` and so on. */
export function deriveOptionIds(questionId: string, texts: readonly string[]): string[] {
  const taken = new Set<string>()
  return texts.map((text) => claimId(taken, deriveOptionId(questionId, text)))
}

/** Adds `wanted` to the taken ids, with a number behind it if it is taken already. Returns what was added. */
export function claimId(taken: Set<string>, wanted: string): string {
  let id = wanted
  for (let turn = 2; taken.has(id); turn++) id = `${wanted}-${turn}`
  taken.add(id)
  return id
}

/** A copy of the question under another key, with option ids of its own. */
export function copyOfChoice(question: ChoiceQuestion, id: string): ChoiceQuestion {
  const ids = deriveOptionIds(
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
