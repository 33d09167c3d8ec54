import { z } from 'zod'
import { specificationFields, specificationFreshness, toFreshnessFields } from '../parts/typed-specification.ts'
import { DEFAULT_DOMAIN, Difficulty, PartId, QuestionKey } from '../question-base.schema.ts'
import type { ChoiceQuestion, QuestionOption } from './choice.schema.ts'

/** The letters by which files name options in stored order. */
export const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'] as const
export type Letter = (typeof LETTERS)[number]

/** The specification's fields have room for so many options. */
const MAX_LETTERED = 6
const SPECIFICATION_LETTERS = LETTERS.slice(0, MAX_LETTERED)

/** Upper-case letters, sorted, without separator: `BE`. */
const OptionLetters = z.string().regex(/^A?B?C?D?E?F?$/)

/** A choice in the fields of the specification (docs/product.md, stored questions). */
export const LetteredChoice = z.object({
  id: QuestionKey,
  type: z.literal('choice').default('choice'),
  question: z.string().min(1),
  answer_a: z.string().min(1),
  answer_b: z.string().min(1),
  answer_c: z.string().default(''),
  answer_d: z.string().default(''),
  answer_e: z.string().default(''),
  answer_f: z.string().default(''),
  answer_ids: z.partialRecord(z.enum(SPECIFICATION_LETTERS), PartId).default({}),
  final_answer: OptionLetters.min(1),
  explanation: z.string().default(''),
  domain: z.string().default(DEFAULT_DOMAIN),
  needs_review: z.boolean().default(false),
  url: z.string().default(''),
  suggested_answer: OptionLetters.default(''),
  most_voted_answer: OptionLetters.default(''),
  difficulty: Difficulty.default(''),
  case_study: QuestionKey.optional(),
  ...specificationFreshness,
})
export type LetteredChoice = z.infer<typeof LetteredChoice>

/** What guests and students receive of it. */
export const LetteredWithoutKey = LetteredChoice.pick({
  id: true,
  type: true,
  question: true,
  answer_a: true,
  answer_b: true,
  answer_c: true,
  answer_d: true,
  answer_e: true,
  answer_f: true,
  domain: true,
}).strict()

function letteredWithoutKey(choice: ChoiceQuestion): z.infer<typeof LetteredWithoutKey> {
  const { id, type, question, answer_a, answer_b, answer_c, answer_d, answer_e, answer_f, domain } = toLettered(choice)
  return { id, type, question, answer_a, answer_b, answer_c, answer_d, answer_e, answer_f, domain }
}

/** `judgeQuestion` reads what this writes as the same question. */
function toLettered(question: ChoiceQuestion): LetteredChoice {
  const text = (place: number) => question.options[place]?.text ?? ''
  return {
    id: question.id,
    type: 'choice',
    question: question.stem,
    answer_a: text(0),
    answer_b: text(1),
    answer_c: text(2),
    answer_d: text(3),
    answer_e: text(4),
    answer_f: text(5),
    answer_ids: Object.fromEntries(question.options.map(({ id }, place) => [letterAt(place), id])),
    final_answer: lettersOf(question, rightIdsOf(question)),
    explanation: question.explanation,
    domain: question.domain,
    needs_review: question.needsReview,
    url: question.url,
    suggested_answer: lettersOf(question, question.suggestedOptionIds),
    most_voted_answer: lettersOf(question, question.mostVotedOptionIds),
    difficulty: question.difficulty,
    ...(question.caseStudy !== undefined && { case_study: question.caseStudy }),
    ...toFreshnessFields(question),
  }
}

/** Whether the specification's fields hold the choice: not if it has more options, or an order of its own. */
const isLettered = ({ options, order }: ChoiceQuestion) => options.length <= MAX_LETTERED && order === undefined

export function choiceToSpecification(question: ChoiceQuestion) {
  if (isLettered(question)) return toLettered(question)
  const { options, order, suggestedOptionIds, mostVotedOptionIds } = question
  return {
    ...specificationFields(question),
    type: 'choice' as const,
    answer_a: options.map(({ text }) => text).join('\n'),
    answer_b: '',
    final_answer: lettersOf(question, rightIdsOf(question)),
    body: { options, ...(order !== undefined && { order }), suggestedOptionIds, mostVotedOptionIds },
  }
}

export function choiceWithoutKey(question: ChoiceQuestion) {
  if (isLettered(question)) return letteredWithoutKey(question)
  const { id, stem, domain, options } = question
  const shown = options.map((option) => ({ id: option.id, text: option.text }))
  return {
    id,
    type: 'choice' as const,
    question: stem,
    domain,
    answer_a: shown.map(({ text }) => text).join('\n'),
    answer_b: '',
    body: { options: shown, choiceCount: rightIdsOf(question).length },
  }
}

function rightIdsOf({ options }: ChoiceQuestion): string[] {
  return options.filter(({ isRight }) => isRight).map(({ id }) => id)
}

/** The letters of these options: `BE`. */
export function lettersOf(
  question: { readonly options: readonly Pick<QuestionOption, 'id'>[] },
  ids: readonly string[],
): string {
  return question.options.flatMap(({ id }, place) => (ids.includes(id) ? [letterAt(place).toUpperCase()] : [])).join('')
}

export function letterAt(place: number): Letter {
  return LETTERS[place] ?? 'l'
}

export function upperLetterAt(place: number): string {
  return letterAt(place).toUpperCase()
}

export function optionField(letter: Letter): `answer_${Letter}` {
  return `answer_${letter}`
}
