import { shuffled } from '../shuffle.ts'
import { POINTS, type TypeGrading } from '../type-grading.ts'
import type { DropDownAnswer, DropDownForTaking, DropDownQuestion, Gap } from './drop-down.schema.ts'

/** The name of the field with the choice of a gap, in a posted form. */
export const gapField = (gapId: string) => `gap.${gapId}`

export const dropDownGrading: TypeGrading<'drop-down'> = {
  /** Partial credit is the share of gaps with their right choice (docs/scoring.md). */
  points({ gaps }, answer, policy) {
    const hits = gaps.filter((gap) => pickOf(answer, gap.id) === rightOf(gap).id).length
    if (hits === gaps.length) return POINTS
    return policy === 'all-or-nothing' ? 0 : Math.min(POINTS - 1, Math.round((hits * POINTS) / gaps.length))
  },

  isRight: ({ gaps, rightIds }, answer) => gaps.every(({ id }, at) => pickOf(answer, id) === rightIds[at]),

  isComplete: ({ gaps }, answer) => gaps.every(({ id }) => pickOf(answer, id) !== null),

  blindChance: ({ gaps }) => 1 / gaps.reduce((ways, { options }) => ways * options.length, 1),

  shapeOf: ({ gaps }, random) => ({
    type: 'drop-down',
    gaps: gaps.map(({ id, options }) => ({
      id,
      optionIds: shuffled(
        options.map((option) => option.id),
        random,
      ),
    })),
  }),

  arranged(question, shape) {
    const place = new Map(shape.gaps.flatMap(({ optionIds }) => optionIds.map((id, at) => [id, at] as const)))
    const placeOf = (id: string) => place.get(id) ?? place.size
    return {
      ...question,
      gaps: question.gaps.map((gap) => ({
        ...gap,
        options: gap.options.toSorted((one, other) => placeOf(one.id) - placeOf(other.id)),
      })),
    }
  },

  answerProblem(shape, answer, struck) {
    const isOfGap = ({ gapId, optionId }: DropDownAnswer['picks'][number]) =>
      shape.gaps.some(({ id, optionIds }) => id === gapId && optionIds.includes(optionId))
    const isKnown = (optionId: string) => shape.gaps.some(({ optionIds }) => optionIds.includes(optionId))
    return (answer?.picks ?? []).every(isOfGap) && struck.every(isKnown) ? null : 'unknown-part'
  },

  answerFromFields({ gaps }, fields) {
    return answerOf(
      gaps.flatMap(({ id, options }) => {
        const picked = fields.getAll(gapField(id))[0]
        return options.some((option) => option.id === picked) ? [{ gapId: id, optionId: String(picked) }] : []
      }),
    )
  },

  answerKey: ({ gaps }) => ({
    type: 'drop-down',
    picks: gaps.map((gap) => ({ gapId: gap.id, optionId: rightOf(gap).id })),
  }),

  keyProblem({ gaps }, { picks }) {
    const isKnown = picks.every(({ gapId, optionId }) =>
      gaps.some(({ id, options }) => id === gapId && options.some((option) => option.id === optionId)),
    )
    if (!isKnown) return 'unknown-part'
    return picks.length === gaps.length ? null : 'count'
  },

  withAnswerKey: (question, key) => ({
    ...question,
    gaps: question.gaps.map((gap) => ({
      ...gap,
      options: gap.options.map((option) => ({ ...option, isRight: option.id === pickOf(key, gap.id) })),
    })),
  }),

  forTaking: ({ id, stem, domain, gaps }) => ({
    type: 'drop-down',
    id,
    stem,
    domain,
    gaps: gaps.map((gap) => ({
      id: gap.id,
      options: gap.options.map((option) => ({ id: option.id, text: option.text })),
    })),
  }),

  forReview: (question) => ({
    ...dropDownGrading.forTaking(question),
    rightIds: question.gaps.map((gap) => rightOf(gap).id),
    explanation: question.explanation,
    url: question.url,
    difficulty: question.difficulty,
  }),
}

/** The right choice of a gap: the schema holds exactly one. */
export function rightOf({ options }: Gap): Gap['options'][number] {
  const right = options.find(({ isRight }) => isRight)
  if (right === undefined) throw new Error('a gap has no right choice')
  return right
}

/** The id of the choice that an answer has for a gap; null for none. */
export function pickOf(answer: DropDownAnswer | null, gapId: string): string | null {
  return answer?.picks.find((pick) => pick.gapId === gapId)?.optionId ?? null
}

function answerOf(picks: DropDownAnswer['picks']): DropDownAnswer | null {
  return picks.length === 0 ? null : { type: 'drop-down', picks }
}

/** The answer after a choice for a gap; null takes the choice back. Picks follow the gaps, so that equal answers are equal. */
export function answerWithPick(
  { gaps }: Pick<DropDownForTaking, 'gaps'>,
  answer: DropDownAnswer | null,
  gapId: string,
  optionId: string | null,
): DropDownAnswer | null {
  return answerOf(
    gaps.flatMap(({ id }) => {
      const picked = id === gapId ? optionId : pickOf(answer, id)
      return picked === null ? [] : [{ gapId: id, optionId: picked }]
    }),
  )
}

/** The texts from which ids are derived, gaps first: a gap has no text of its own but its place. */
export function idTexts(gaps: readonly { readonly options: readonly { readonly text: string }[] }[]): string[] {
  return [...gaps.map((_, at) => `[[${at + 1}]]`), ...gaps.flatMap(({ options }) => options.map(({ text }) => text))]
}

/** All choices with the number of their gap, in stored order. */
export function numberedOptions(
  gaps: DropDownQuestion['gaps'],
): { readonly number: number; readonly option: Gap['options'][number] }[] {
  return gaps.flatMap(({ options }, at) => options.map((option) => ({ number: at + 1, option })))
}
