import { randomOf } from '../../questions/types/shuffle.ts'
import type { CalibrationResponses } from './item-calibration.ts'
import { LABEL_DEVIATION, LABEL_DIFFICULTY } from './readiness.ts'
import { rightChance } from './response-model.ts'

/** Responses from rows of person, item, and 1 for a right answer. */
export function responsesOf(rows: readonly (readonly number[])[], personCount: number): CalibrationResponses {
  return {
    persons: Int32Array.from(rows, ([person]) => person!),
    items: Int32Array.from(rows, ([, item]) => item!),
    isRight: Uint8Array.from(rows, ([, , right]) => right!),
    personCount,
  }
}

/** Persons who each answer some of the items; blind answers are right as often as the item's guess says. */
export function simulateResponses(of: { persons: number; items: number; each: number; seed: number }) {
  const random = randomOf(of.seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const names = ['easy', 'medium', 'hard'] as const
  const items = Array.from({ length: of.items }, (_, item) => ({
    label: names[item % names.length]!,
    guess: item % 4 === 3 ? 0.1 : 0.25,
  }))
  const difficulties = items.map(({ label }) => LABEL_DIFFICULTY[label] + LABEL_DEVIATION * normal())
  const rows = Array.from({ length: of.persons }, (_, person) => {
    const ability = 1 + normal()
    return Array.from({ length: of.each }, () => {
      const item = Math.floor(random() * of.items)
      const isRight = random() < rightChance(ability - difficulties[item]!, items[item]!.guess)
      return [person, item, isRight ? 1 : 0]
    })
  }).flat()
  return { items, difficulties, responses: responsesOf(rows, of.persons) }
}
