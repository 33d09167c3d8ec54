import type { TypeStatistics } from '../type-statistics.ts'
import { copy } from './hot-spot-edit.copy.ts'

export const hotSpotStatistics: TypeStatistics<'hot-spot'> = {
  countParts: ({ areas }, given) =>
    areas.map(({ id, text, isRight }) => ({
      id,
      text,
      isRight,
      count: given.reduce((sum, { answer, count }) => sum + (answer.areaIds.includes(id) ? count : 0), 0),
    })),

  /** Of several right areas, the one that is chosen least is compared with the wrong ones. */
  isKeyDoubtful(parts) {
    const leastRight = Math.min(...parts.filter(({ isRight }) => isRight).map(({ count }) => count))
    return parts.some(({ isRight, count }) => !isRight && count > leastRight)
  },

  labels: {
    parts: copy['statistics.areas'],
    partsOfQuestion: copy['statistics.areas.of'],
    right: copy['statistics.right'],
  },
}
