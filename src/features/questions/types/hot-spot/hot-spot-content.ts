import { md5Hex } from '../../../../lib/md5.ts'
import { derivePartIds } from '../parts/part-ids.ts'
import { specificationFields, typedSpecification, typedWithoutKey } from '../parts/typed-specification.ts'
import { hotSpotGrading, rightAreaIds } from './hot-spot-grading.ts'
import type { HotSpotQuestion } from './hot-spot.schema.ts'

/** Equal for questions with equal stem, image and areas, whatever the order of the areas. */
export function hotSpotFingerprint({ stem, image, areas }: HotSpotQuestion): string {
  const said = areas.map(({ text, shape, numbers, isRight }) => JSON.stringify([text, shape, numbers, isRight]))
  return md5Hex(JSON.stringify(['hot-spot', stem, image, said.sort()]))
}

/** A copy under another key with ids of its own. */
export function copyOfHotSpot(question: HotSpotQuestion, id: string): HotSpotQuestion {
  const ids = derivePartIds(
    id,
    question.areas.map(({ text }) => text),
  )
  return { ...question, id, areas: question.areas.map((area, place) => ({ ...area, id: ids[place] ?? '' })) }
}

export const SpecificationHotSpot = typedSpecification('hot-spot')
export const SpecificationHotSpotWithoutKey = typedWithoutKey('hot-spot')

export function hotSpotToSpecification(question: HotSpotQuestion) {
  const { image, width, height, areas } = question
  const rights = rightAreaIds(question)
  return {
    ...specificationFields(question),
    type: 'hot-spot' as const,
    answer_a: namesOf(question),
    answer_b: '',
    final_answer: areas
      .filter(({ id }) => rights.includes(id))
      .map(({ text }) => text)
      .join('\n'),
    body: { image: { text: image }, width, height, areas },
  }
}

export function hotSpotWithoutKey(question: HotSpotQuestion) {
  const { id, stem, domain, image, width, height, areas, choiceCount } = hotSpotGrading.forTaking(question)
  return {
    id,
    type: 'hot-spot' as const,
    question: stem,
    domain,
    answer_a: namesOf(question),
    answer_b: '',
    body: { image: { text: image }, width, height, areas, choiceCount },
  }
}

function namesOf({ areas }: HotSpotQuestion): string {
  return areas.map(({ text }) => text).join('\n')
}
