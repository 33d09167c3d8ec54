import { shuffled } from '../shuffle.ts'
import { POINTS, waysToOrder, type TypeGrading } from '../type-grading.ts'
import type { MatchingAnswer, MatchingForTaking, MatchingQuestion, Pair } from './matching.schema.ts'

/** The name of the field with the option of a prompt, in a posted form. */
export const matchField = (promptId: string) => `match.${promptId}`

export const matchingGrading: TypeGrading<'matching'> = {
  /** Partial credit is the share of prompts with their right option (docs/scoring.md). */
  points(question, { pairs }, policy) {
    const { prompts } = question
    const hits = prompts.filter(({ id, optionId }) => optionFor(pairs, id) === optionId).length
    if (hits === prompts.length) return POINTS
    if (policy === 'all-or-nothing') return 0
    return Math.min(POINTS - 1, Math.round((hits * POINTS) / prompts.length))
  },

  isRight: ({ rightPairs }, { pairs }) =>
    rightPairs.every(({ promptId, optionId }) => optionFor(pairs, promptId) === optionId),

  isComplete: ({ prompts, isReusable }, { pairs }) =>
    pairs.length === prompts.length && (isReusable || repeatedOptions(pairs).length === 0),

  blindChance: ({ prompts, options, isReusable }) =>
    1 / (isReusable ? options.length ** prompts.length : waysToOrder(options.length, prompts.length)),

  shapeOf: ({ prompts, options }, random) => ({
    type: 'matching',
    promptIds: prompts.map(({ id }) => id),
    optionIds: shuffled(
      options.map(({ id }) => id),
      random,
    ),
  }),

  arranged(question, { optionIds }) {
    const place = new Map(optionIds.map((id, at) => [id, at]))
    const placeOf = (id: string) => place.get(id) ?? optionIds.length
    return { ...question, options: question.options.toSorted((a, b) => placeOf(a.id) - placeOf(b.id)) }
  },

  /** An option that is chosen twice is no problem: without scripts nothing can move it, and the answer must not be lost. */
  answerProblem({ promptIds, optionIds }, answer, struck) {
    const pairs = answer?.pairs ?? []
    const isKnown = pairs.every(
      ({ promptId, optionId }) => promptIds.includes(promptId) && optionIds.includes(optionId),
    )
    return isKnown && struck.every((id) => optionIds.includes(id)) ? null : 'unknown-part'
  },

  answerFromFields({ prompts, options }, fields) {
    const pairs = prompts.flatMap(({ id }) => {
      const optionId = fields.getAll(matchField(id))[0]
      return options.some((option) => option.id === optionId) ? [{ promptId: id, optionId: String(optionId) }] : []
    })
    return answerOf(pairs)
  },

  answerKey: ({ prompts }) => ({ type: 'matching', pairs: rightPairsOf(prompts) }),

  keyProblem({ prompts, options, isReusable }, { pairs }) {
    const promptIds = prompts.map(({ id }) => id)
    const optionIds = options.map(({ id }) => id)
    if (pairs.some(({ promptId, optionId }) => !promptIds.includes(promptId) || !optionIds.includes(optionId)))
      return 'unknown-part'
    const isWhole = pairs.length === prompts.length && (isReusable || repeatedOptions(pairs).length === 0)
    return isWhole ? null : 'count'
  },

  withAnswerKey: (question, { pairs }) => ({
    ...question,
    prompts: question.prompts.map((prompt) => ({
      ...prompt,
      optionId: optionFor(pairs, prompt.id) ?? prompt.optionId,
    })),
  }),

  forTaking: ({ id, stem, domain, prompts, options, isReusable }) => ({
    type: 'matching',
    id,
    stem,
    domain,
    prompts: prompts.map((prompt) => ({ id: prompt.id, text: prompt.text })),
    options: options.map((option) => ({ id: option.id, text: option.text })),
    isReusable,
  }),

  forReview: (question) => ({
    ...matchingGrading.forTaking(question),
    rightPairs: rightPairsOf(question.prompts),
    explanation: question.explanation,
    url: question.url,
    difficulty: question.difficulty,
  }),
}

function rightPairsOf(prompts: MatchingQuestion['prompts']): Pair[] {
  return inOrder(prompts.map(({ id, optionId }) => ({ promptId: id, optionId })))
}

function inOrder(pairs: readonly Pair[]): Pair[] {
  return pairs.toSorted((one, other) => (one.promptId < other.promptId ? -1 : 1))
}

/** The option that was chosen for a prompt. */
export function optionFor(pairs: readonly Pair[], promptId: string): string | undefined {
  return pairs.find((pair) => pair.promptId === promptId)?.optionId
}

/** The options that several prompts have. */
export function repeatedOptions(pairs: readonly Pair[]): string[] {
  const ids = pairs.map(({ optionId }) => optionId)
  return [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))]
}

/** The options that no prompt has as its answer. */
export function distractorsOf({ prompts, options }: Pick<MatchingQuestion, 'prompts' | 'options'>) {
  return options.filter(({ id }) => !prompts.some(({ optionId }) => optionId === id))
}

/** The text of the right option of a prompt. */
export function rightTextOf(
  { options }: Pick<MatchingQuestion, 'options'>,
  { optionId }: { optionId: string },
): string {
  return options.find(({ id }) => id === optionId)?.text ?? ''
}

export function answerOf(pairs: readonly Pair[]): MatchingAnswer | null {
  return pairs.length === 0 ? null : { type: 'matching', pairs: inOrder(pairs) }
}

/**
 * The answer after an option was chosen for a prompt; null takes the prompt's option away. An option that is used once leaves the
 * prompt that had it.
 */
export function answerWithPair(
  { isReusable }: Pick<MatchingForTaking, 'isReusable'>,
  answer: MatchingAnswer | null,
  promptId: string,
  optionId: string | null,
): MatchingAnswer | null {
  const others = (answer?.pairs ?? []).filter((pair) => pair.promptId !== promptId)
  if (optionId === null) return answerOf(others)
  const left = isReusable ? others : others.filter((pair) => pair.optionId !== optionId)
  return answerOf([...left, { promptId, optionId }])
}

/**
 * The answer after a key that names an option by its place: the first prompt without one gets it. An option that is used once and
 * has a prompt already is taken back.
 */
export function answerWithKeyedOption(
  question: MatchingForTaking,
  answer: MatchingAnswer | null,
  place: number,
): MatchingAnswer | null | undefined {
  const option = question.options[place]
  if (option === undefined) return undefined
  const pairs = answer?.pairs ?? []
  const isUsed = pairs.some(({ optionId }) => optionId === option.id)
  if (isUsed && !question.isReusable) return answerOf(pairs.filter(({ optionId }) => optionId !== option.id))
  const prompt = question.prompts.find(({ id }) => optionFor(pairs, id) === undefined)
  return prompt === undefined ? answer : answerWithPair(question, answer, prompt.id, option.id)
}
