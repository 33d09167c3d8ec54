import { shuffled } from '../shuffle.ts'
import { POINTS, waysToChoose, type TypeGrading } from '../type-grading.ts'
import type { ChoiceQuestion } from './choice.schema.ts'

/** The name of the options in a posted form. */
export const OPTION_FIELD = 'answer'

export const choiceGrading: TypeGrading<'choice'> = {
  /** Partial credit is right options minus wrong ones, over the number of right options, never below zero (docs/scoring.md). */
  points(question, { optionIds }, policy) {
    const rights = new Set(rightOptionIds(question))
    const given = new Set(optionIds)
    const hits = [...given].filter((id) => rights.has(id)).length
    const misses = given.size - hits
    if (rights.size > 0 && hits === rights.size && misses === 0) return POINTS
    if (policy === 'all-or-nothing' || rights.size === 0) return 0
    return Math.round((Math.max(0, hits - misses) * POINTS) / rights.size)
  },

  isRight: ({ rightOptionIds: rights }, { optionIds }) =>
    optionIds.length === rights.length && rights.every((id) => optionIds.includes(id)),

  isComplete: ({ choiceCount }, { optionIds }) => optionIds.length === choiceCount,

  blindChance: (question) => 1 / waysToChoose(question.options.length, rightOptionIds(question).length),

  shapeOf: (question, random) => ({
    type: 'choice',
    optionIds: shownIds(question, random),
    isMultiple: rightOptionIds(question).length > 1,
  }),

  arranged(question, { optionIds }) {
    const place = new Map(optionIds.map((id, index) => [id, index]))
    const placeOf = (id: string) => place.get(id) ?? optionIds.length
    return { ...question, options: question.options.toSorted((a, b) => placeOf(a.id) - placeOf(b.id)) }
  },

  answerProblem(shape, answer, struck) {
    const given = answer?.optionIds ?? []
    if (![...given, ...struck].every((id) => shape.optionIds.includes(id))) return 'unknown-part'
    return !shape.isMultiple && given.length > 1 ? 'too-many' : null
  },

  answerFromFields({ options, isMultiple }, fields) {
    const posted = fields.getAll(OPTION_FIELD)
    const known = options.map(({ id }) => id).filter((id) => posted.includes(id))
    const optionIds = (isMultiple ? known : known.slice(0, 1)).sort()
    return optionIds.length === 0 ? null : { type: 'choice', optionIds }
  },

  answerKey: (question) => ({ type: 'choice', optionIds: rightOptionIds(question).sort() }),

  keyProblem(question, { optionIds }) {
    const known = new Set(question.options.map(({ id }) => id))
    if (!optionIds.every((id) => known.has(id))) return 'unknown-part'
    return optionIds.length === rightOptionIds(question).length ? null : 'count'
  },

  withAnswerKey: (question, { optionIds }) => ({
    ...question,
    options: question.options.map((option) => ({ ...option, isRight: optionIds.includes(option.id) })),
  }),

  forTaking(question) {
    const choiceCount = rightOptionIds(question).length
    return {
      type: 'choice',
      id: question.id,
      stem: question.stem,
      options: question.options.map(({ id, text }) => ({ id, text })),
      isMultiple: choiceCount > 1,
      choiceCount,
      domain: question.domain,
    }
  },

  forReview: (question) => ({
    ...choiceGrading.forTaking(question),
    rightOptionIds: rightOptionIds(question),
    explanation: question.explanation,
    url: question.url,
    suggestedOptionIds: question.suggestedOptionIds,
    mostVotedOptionIds: question.mostVotedOptionIds,
    difficulty: question.difficulty,
  }),
}

/** Each order takes as many random numbers, so that a question does not change the order of those after it. */
function shownIds({ options, order }: ChoiceQuestion, random: () => number): string[] {
  const ids = options.map(({ id }) => id)
  const mixed = shuffled(ids, random)
  if (order === 'fixed') return ids
  const last = ids.at(-1)
  return order === 'last-stays' && last !== undefined ? [...mixed.filter((id) => id !== last), last] : mixed
}

export function rightOptionIds(question: ChoiceQuestion): string[] {
  return question.options.filter(({ isRight }) => isRight).map(({ id }) => id)
}

/** How many options are right. */
export const choiceCount = (question: ChoiceQuestion) => rightOptionIds(question).length
export const isMultiple = (question: ChoiceQuestion) => choiceCount(question) > 1
