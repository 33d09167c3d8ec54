import type { TypeStatistics } from '../type-statistics.ts'
import { countTexts, isTextPreferred, writtenLabels } from '../written/written-statistics.ts'
import { isAccepted, sameText } from './accepted-forms.ts'

export const shortAnswerStatistics: TypeStatistics<'short-answer'> = {
  /** Texts that differ in nothing that counts are one. */
  countParts: (question, given) =>
    countTexts(
      given.map(({ answer, count }) => ({ text: answer.text, count })),
      {
        key: question.forms[0]?.text ?? '',
        sameText: (text) => sameText(text, question.isCaseSensitive),
        isRight: (text) => isAccepted(text, question),
      },
    ),
  isKeyDoubtful: isTextPreferred,
  labels: writtenLabels,
}
