import { remark } from '../../checks/bank-checks.copy.ts'
import type { TypeChecks } from '../type-checks.ts'
import { isAnything, isCovering, sameText } from './accepted-forms.ts'
import type { ShortAnswerQuestion } from './short-answer.schema.ts'

export const shortAnswerChecks: TypeChecks<'short-answer'> = {
  comparedParts: ({ forms }) => [
    { text: 'text', keyValue: forms.map(({ text }) => sameText(text, false)).join('\n'), isRight: true },
  ],

  /** An author thinks of some forms of an answer, another one of others: only forms that have nothing in common are worth a look. */
  compareKeys(mine, other) {
    const forms = other.split('\n')
    const isCommon = mine
      .split('\n')
      .some((form) => forms.some((one) => isCovering(form, one, false) || isCovering(one, form, false)))
    return isCommon ? 'same' : 'open'
  },

  wordingRemarks(question) {
    const wide = question.forms.find(({ text }) => isAnything(text))
    if (wide !== undefined) return [remark('form-takes-all')]
    const covered = coveredForm(question)
    return covered === null ? [] : [remark('form-covered', ...covered)]
  },

  balanceRemarks: () => [],
  cueOptions: () => null,
  kinds: { 'short-answer': 'with a short text to write' },
  kindOf: () => 'short-answer',
}

/** The first form that another one makes useless, and that other one. */
function coveredForm({ forms, isCaseSensitive }: ShortAnswerQuestion): [covered: string, by: string] | null {
  for (const [place, { text }] of forms.entries()) {
    const by = forms.find((other, at) => at !== place && isCovering(other.text, text, isCaseSensitive))
    if (by !== undefined) return [text, by.text]
  }
  return null
}
