import type { TypeStatistics } from '../type-statistics.ts'
import { copy } from './ordering-edit.copy.ts'
import { distractorsOf, stepsOf } from './ordering-grading.ts'

export const orderingStatistics: TypeStatistics<'ordering'> = {
  /** For each step how many learners put it at its place; for each distractor how many placed it anywhere. */
  countParts(question, given) {
    const countOf = (isCounted: (itemIds: readonly string[]) => boolean) =>
      given.reduce((sum, { answer, count }) => sum + (isCounted(answer.itemIds) ? count : 0), 0)
    return [
      ...stepsOf(question).map(({ id, text }, place) => ({
        id,
        text: `${place + 1}. ${text}`,
        isRight: true,
        count: countOf((itemIds) => itemIds[place] === id),
      })),
      ...distractorsOf(question).map(({ id, text }) => ({
        id,
        text,
        isRight: false,
        count: countOf((itemIds) => itemIds.includes(id)),
      })),
    ]
  },

  /** A distractor that more learners place than put the hardest step where it belongs. */
  isKeyDoubtful(parts) {
    const leastRight = Math.min(...parts.filter(({ isRight }) => isRight).map(({ count }) => count))
    return parts.some(({ isRight, count }) => !isRight && count > leastRight)
  },

  labels: {
    parts: copy['statistics.steps'],
    partsOfQuestion: copy['statistics.steps.of'],
    right: copy['statistics.right'],
  },
}
