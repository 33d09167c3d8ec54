import { letterOfPart } from '../parts/part-letters.ts'
import type { ChoiceAnswer, ChoiceForTaking } from './choice.schema.ts'

/**
 * The answer after an option was activated. In a choice of several it adds or removes the option; in a choice of one it selects it,
 * and the selected one stays.
 */
export function answerWithOption(
  question: Pick<ChoiceForTaking, 'isMultiple'>,
  answer: ChoiceAnswer | null,
  optionId: string,
): ChoiceAnswer | null {
  const given = answer?.optionIds ?? []
  const others = question.isMultiple ? given.filter((id) => id !== optionId) : []
  const isRemoved = question.isMultiple && given.includes(optionId)
  const optionIds = isRemoved ? others : [...others, optionId].sort()
  return optionIds.length === 0 ? null : { type: 'choice', optionIds }
}

type ShownOptions = { readonly options: readonly { readonly id: string }[] }

/** The letters of options in the order that is shown: 'A, C'. */
export function shownLetters({ options }: ShownOptions, ids: readonly string[]): string {
  return options.flatMap(({ id }, place) => (ids.includes(id) ? [letterOfPart(place)] : [])).join(', ')
}

export function answerLetters(question: ShownOptions, { optionIds }: ChoiceAnswer): string {
  return shownLetters(question, optionIds)
}
