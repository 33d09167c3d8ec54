import type { Answer } from '../../src/features/questions/types/question-types.schema.ts'

/** The answer that selects these options; none is no answer. */
export function selecting(...optionIds: readonly (string | undefined)[]): Answer | null {
  return optionIds.length === 0
    ? null
    : { type: 'choice', optionIds: optionIds.filter((id) => id !== undefined).sort() }
}
