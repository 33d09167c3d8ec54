import { shuffled } from '../shuffle.ts'
import { POINTS, waysToChoose, type TypeGrading } from '../type-grading.ts'
import type { HotSpotAnswer, HotSpotForTaking, HotSpotQuestion } from './hot-spot.schema.ts'

/** The name of the areas in a posted form. */
export const AREA_FIELD = 'area'

export const hotSpotGrading: TypeGrading<'hot-spot'> = {
  /** As of a choice: right areas minus wrong ones, over the number of right ones, never below zero (docs/scoring.md). */
  points(question, { areaIds }, policy) {
    const rights = rightAreaIds(question)
    const hits = areaIds.filter((id) => rights.includes(id)).length
    const misses = areaIds.length - hits
    if (hits === rights.length && misses === 0) return POINTS
    if (policy === 'all-or-nothing') return 0
    return Math.round((Math.max(0, hits - misses) * POINTS) / rights.length)
  },

  isRight: ({ rightAreaIds: rights }, { areaIds }) =>
    areaIds.length === rights.length && rights.every((id) => areaIds.includes(id)),

  isComplete: ({ choiceCount }, { areaIds }) => areaIds.length === choiceCount,

  blindChance: (question) => 1 / waysToChoose(question.areas.length, rightAreaIds(question).length),

  shapeOf: (question, random) => ({
    type: 'hot-spot',
    areaIds: shuffled(
      question.areas.map(({ id }) => id),
      random,
    ),
    isMultiple: rightAreaIds(question).length > 1,
  }),

  arranged(question, { areaIds }) {
    const place = new Map(areaIds.map((id, at) => [id, at]))
    const placeOf = (id: string) => place.get(id) ?? areaIds.length
    return { ...question, areas: question.areas.toSorted((a, b) => placeOf(a.id) - placeOf(b.id)) }
  },

  answerProblem(shape, answer, struck) {
    const given = answer?.areaIds ?? []
    if (![...given, ...struck].every((id) => shape.areaIds.includes(id))) return 'unknown-part'
    return !shape.isMultiple && given.length > 1 ? 'too-many' : null
  },

  answerFromFields({ areas, choiceCount }, fields) {
    const posted = fields.getAll(AREA_FIELD)
    const known = areas.map(({ id }) => id).filter((id) => posted.includes(id))
    return answerOf(choiceCount > 1 ? known : known.slice(0, 1))
  },

  answerKey: (question) => ({ type: 'hot-spot', areaIds: rightAreaIds(question).sort() }),

  keyProblem(question, { areaIds }) {
    const known = new Set(question.areas.map(({ id }) => id))
    if (!areaIds.every((id) => known.has(id))) return 'unknown-part'
    return areaIds.length === rightAreaIds(question).length ? null : 'count'
  },

  withAnswerKey: (question, { areaIds }) => ({
    ...question,
    areas: question.areas.map((area) => ({ ...area, isRight: areaIds.includes(area.id) })),
  }),

  forTaking: (question) => ({
    type: 'hot-spot',
    id: question.id,
    stem: question.stem,
    domain: question.domain,
    image: question.image,
    width: question.width,
    height: question.height,
    areas: question.areas.map(({ id, text, shape, numbers }) => ({ id, text, shape, numbers })),
    choiceCount: rightAreaIds(question).length,
  }),

  forReview: (question) => ({
    ...hotSpotGrading.forTaking(question),
    rightAreaIds: rightAreaIds(question),
    explanation: question.explanation,
    url: question.url,
    difficulty: question.difficulty,
  }),
}

export function rightAreaIds({ areas }: Pick<HotSpotQuestion, 'areas'>): string[] {
  return areas.filter(({ isRight }) => isRight).map(({ id }) => id)
}

function answerOf(areaIds: readonly string[]): HotSpotAnswer | null {
  return areaIds.length === 0 ? null : { type: 'hot-spot', areaIds: areaIds.toSorted() }
}

/** The answer after an area was activated. Of several it is added or removed; a single one is chosen, and stays. */
export function answerWithArea(
  { choiceCount }: Pick<HotSpotForTaking, 'choiceCount'>,
  answer: HotSpotAnswer | null,
  areaId: string,
): HotSpotAnswer | null {
  if (choiceCount === 1) return answerOf([areaId])
  const given = answer?.areaIds ?? []
  return answerOf(given.includes(areaId) ? given.filter((id) => id !== areaId) : [...given, areaId])
}
