import { z } from 'zod'
import { DEFAULT_DOMAIN, Difficulty, PartId, QuestionKey } from '../question-base.schema.ts'
import { MAX_OPTIONS, type ChoiceQuestion, type QuestionOption } from './choice.schema.ts'

/** The letters by which the specification's fields, and some formats, name options in stored order. */
export const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f'] as const
export type Letter = (typeof LETTERS)[number]

/** Upper-case letters, sorted, without separator: `BE`. */
const OptionLetters = z.string().regex(/^A?B?C?D?E?F?$/)

/** A choice in the fields of the specification (chapter 3, Question). */
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
  answer_ids: z.partialRecord(z.enum(LETTERS), PartId).default({}),
  final_answer: OptionLetters.min(1),
  explanation: z.string().default(''),
  domain: z.string().default(DEFAULT_DOMAIN),
  needs_review: z.boolean().default(false),
  url: z.string().default(''),
  suggested_answer: OptionLetters.default(''),
  most_voted_answer: OptionLetters.default(''),
  difficulty: Difficulty.default(''),
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

export function letteredWithoutKey(choice: ChoiceQuestion): z.infer<typeof LetteredWithoutKey> {
  const { id, type, question, answer_a, answer_b, answer_c, answer_d, answer_e, answer_f, domain } = toLettered(choice)
  return { id, type, question, answer_a, answer_b, answer_c, answer_d, answer_e, answer_f, domain }
}

/** `validateQuestion` reads what this writes as the same question. */
export function toLettered(question: ChoiceQuestion): LetteredChoice {
  const text = (place: number) => question.options[place]?.text ?? ''
  const rights = question.options.filter(({ isRight }) => isRight).map(({ id }) => id)
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
    final_answer: lettersOf(question, rights),
    explanation: question.explanation,
    domain: question.domain,
    needs_review: question.needsReview,
    url: question.url,
    suggested_answer: lettersOf(question, question.suggestedOptionIds),
    most_voted_answer: lettersOf(question, question.mostVotedOptionIds),
    difficulty: question.difficulty,
  }
}

/** The letters of these options: `BE`. */
export function lettersOf(
  question: { readonly options: readonly Pick<QuestionOption, 'id'>[] },
  ids: readonly string[],
): string {
  return question.options.flatMap(({ id }, place) => (ids.includes(id) ? [letterAt(place).toUpperCase()] : [])).join('')
}

export function letterAt(place: number): Letter {
  return LETTERS[place] ?? LETTERS[MAX_OPTIONS - 1] ?? 'f'
}

export function upperLetterAt(place: number): string {
  return letterAt(place).toUpperCase()
}

export function optionField(letter: Letter): `answer_${Letter}` {
  return `answer_${letter}`
}
