import { z } from 'zod'
import { LetteredChoice, LetteredWithoutKey } from './choice/choice-letters.ts'
import { typedSpecification, typedWithoutKey } from './parts/typed-specification.ts'
import { CONTENTS } from './registered/registered-contents.ts'
import { Question, type QuestionType } from './question-types.schema.ts'
import type { TypeContent } from './type-content.ts'
import type { ReadBody } from './type-validation.ts'

const registry: { readonly [Type in QuestionType]: TypeContent<Type> } = CONTENTS
const types = Object.keys(registry) as QuestionType[]

/** The content of a type. The cast is safe because the callers below pass questions of that type. */
function contentOf({ type }: { readonly type: QuestionType }): TypeContent<QuestionType> {
  return registry[type] as TypeContent<QuestionType>
}

/** A question in the fields that the specification gives it (docs/product.md, stored questions). */
export const SpecificationQuestion = z.union([typedSpecification(types), LetteredChoice])
export type SpecificationQuestion = z.infer<typeof SpecificationQuestion>

/** The same as guests and students receive it, without answer key and explanation. */
export const SpecificationQuestionWithoutKey = z.union([typedWithoutKey(types), LetteredWithoutKey])
export type SpecificationQuestionWithoutKey = z.infer<typeof SpecificationQuestionWithoutKey>

/** The type of a question that does not name one. */
export const DEFAULT_TYPE: QuestionType = 'choice'

/** The type that given fields name; null if there is no such type. */
export function typeOfGiven(type: unknown): QuestionType | null {
  if (type === undefined || type === null || type === '') return DEFAULT_TYPE
  return typeof type === 'string' && Object.hasOwn(registry, type) ? (type as QuestionType) : null
}

export function readBodyOf(type: QuestionType): ReadBody<QuestionType> {
  return contentOf({ type }).readBody
}

function fingerprintOf(question: Question): string {
  return contentOf(question).fingerprint(question)
}

/**
 * A text that changes with anything that the question says. Findings that were set aside are stored with a hash of it. When it was
 * verified says nothing about what it says.
 */
export function contentText({ verifiedOn: _verifiedOn, guide: _guide, ...question }: Question): string {
  return contentOf(question).contentText(question)
}

/** A copy of the question under another key with new ids of its parts, so that no stored answer refers to them. */
export function withKeyOf(question: Question, id: string): Question {
  return contentOf(question).copy(question, id)
}

/** The Markdown texts of the parts of a question. */
export function partTextsOf(question: Question): string[] {
  return contentOf(question).texts(question)
}

/** All Markdown texts of a question: the stem, those of its parts, and the explanation. */
export function textsOf(question: Question): string[] {
  return [question.stem, ...partTextsOf(question), question.explanation]
}

/** The question with each of its Markdown texts changed. */
export function withTexts(question: Question, change: (text: string) => string): Question {
  const changed = contentOf(question).withTexts(question, change)
  return { ...changed, stem: change(question.stem), explanation: change(question.explanation) }
}

export function toSpecification(question: Question): SpecificationQuestion {
  return contentOf(question).toSpecification(question)
}

export function toSpecificationWithoutKey(question: Question): SpecificationQuestionWithoutKey {
  return contentOf(question).withoutKey(question)
}

/** A question as the database holds it. The fingerprint is stored with it, because indexes and triggers copy it from there. */
type StoredQuestion = Question & { readonly fingerprint: string }

export function toStored(question: Question): StoredQuestion {
  return { ...question, fingerprint: fingerprintOf(question) }
}

/** @throws ZodError for a value that `toStored` did not make */
export function fromStored(stored: unknown): Question {
  return Question.parse(stored)
}
