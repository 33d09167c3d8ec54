import type { PartCount, TypeStatistics } from '../type-statistics.ts'
import { copy } from './drop-down-edit.copy.ts'
import { numberedOptions } from './drop-down-grading.ts'

export const dropDownStatistics: TypeStatistics<'drop-down'> = {
  /** For each choice of each gap, how many learners chose it. */
  countParts: ({ gaps }, given) =>
    numberedOptions(gaps).map(({ number, option: { id, text, isRight } }) => ({
      id,
      text: `${number}: ${text}`,
      isRight,
      count: given.reduce(
        (sum, { answer, count }) => sum + (answer.picks.some(({ optionId }) => optionId === id) ? count : 0),
        0,
      ),
    })),

  /** In some gap a wrong choice has more learners than the right one. */
  isKeyDoubtful: (parts) =>
    parts
      .filter(({ isRight }) => isRight)
      .some((right) => parts.some((part) => !part.isRight && part.count > right.count && gapOf(part) === gapOf(right))),

  labels: {
    parts: copy['statistics.gaps'],
    partsOfQuestion: copy['statistics.gaps.of'],
    right: copy['statistics.right'],
  },
}

/** The number of its gap begins the text of each part. */
function gapOf({ text }: PartCount): string {
  return text.slice(0, text.indexOf(':'))
}
