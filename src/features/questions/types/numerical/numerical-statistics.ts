import type { TypeStatistics } from '../type-statistics.ts'
import { countTexts, isTextPreferred, writtenLabels } from '../written/written-statistics.ts'
import { printDecimal, readQuantity, shortened } from './decimal-numbers.ts'
import { isRightNumber, keyLine } from './numerical-grading.ts'

export const numericalStatistics: TypeStatistics<'numerical'> = {
  /** Numbers that are written differently count together. */
  countParts: (question, given) =>
    countTexts(
      given.map(({ answer, count }) => ({ text: answer.text, count })),
      {
        key: keyLine(question),
        sameText(text) {
          const number = readQuantity(text, question.unit)
          return number === null ? text.trim() : printDecimal(shortened(number))
        },
        isRight: (text) => isRightNumber(question, text),
      },
    ),
  isKeyDoubtful: isTextPreferred,
  labels: writtenLabels,
}
