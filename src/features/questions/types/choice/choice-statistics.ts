import type { TypeStatistics } from '../type-statistics.ts'

export const choiceStatistics: TypeStatistics<'choice'> = {
  countParts: ({ options }, given) =>
    options.map(({ id, text, isRight }) => ({
      id,
      text,
      isRight,
      count: given.reduce((sum, { answer, count }) => sum + (answer.optionIds.includes(id) ? count : 0), 0),
    })),

  /** Of several right options, the one that is selected least is compared with the wrong ones. */
  isKeyDoubtful(parts) {
    const leastRight = Math.min(...parts.filter(({ isRight }) => isRight).map(({ count }) => count))
    const mostWrong = Math.max(0, ...parts.filter(({ isRight }) => !isRight).map(({ count }) => count))
    return mostWrong > leastRight
  },

  labels: { parts: 'Choices', partsOfQuestion: 'Choices of question {n}', right: 'right' },
}
