import { md5Hex } from '../../../../lib/md5.ts'
import { derivePartIds } from '../parts/part-ids.ts'
import { contentTextOf } from '../parts/content-text.ts'
import { specificationFields } from '../parts/typed-specification.ts'
import type { TypeContent } from '../type-content.ts'
import { hotSpotGrading, rightAreaIds } from './hot-spot-grading.ts'
import type { HotSpotQuestion } from './hot-spot.schema.ts'
import { readHotSpot } from './hot-spot-validation.ts'

export const hotSpotContent: TypeContent<'hot-spot'> = {
  fingerprint: hotSpotFingerprint,
  contentText: contentTextOf,
  copy: copyOfHotSpot,
  readBody: readHotSpot,
  texts: ({ image, areas }) => [image, ...areas.map(({ text }) => text)],
  withTexts: (question, change) => ({
    ...question,
    image: change(question.image),
    areas: question.areas.map((area) => ({ ...area, text: change(area.text) })),
  }),
  toSpecification: hotSpotToSpecification,
  withoutKey: hotSpotWithoutKey,
}

/** Equal for questions with equal stem, image and areas, whatever the order of the areas. */
function hotSpotFingerprint({ stem, image, areas }: HotSpotQuestion): string {
  const said = areas.map(({ text, shape, numbers, isRight }) => JSON.stringify([text, shape, numbers, isRight]))
  return md5Hex(JSON.stringify(['hot-spot', stem, image, said.sort()]))
}

/** A copy under another key with ids of its own. */
function copyOfHotSpot(question: HotSpotQuestion, id: string): HotSpotQuestion {
  const ids = derivePartIds(
    id,
    question.areas.map(({ text }) => text),
  )
  return { ...question, id, areas: question.areas.map((area, place) => ({ ...area, id: ids[place] ?? '' })) }
}

function hotSpotToSpecification(question: HotSpotQuestion) {
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

function hotSpotWithoutKey(question: HotSpotQuestion) {
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
