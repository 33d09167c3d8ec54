import { z } from 'zod'
import { contentTextOf } from './parts/content-text.ts'
import { choiceContentText, choiceFingerprint } from './choice/choice-fingerprint.ts'
import { copyOfChoice } from './choice/choice-ids.ts'
import {
  choiceToSpecification,
  choiceWithoutKey,
  LetteredChoice,
  LetteredWithoutKey,
  SpecificationChoice,
  SpecificationChoiceWithoutKey,
} from './choice/choice-letters.ts'
import { readChoice } from './choice/choice-validation.ts'
import {
  copyOfMatching,
  matchingFingerprint,
  matchingToSpecification,
  matchingWithoutKey,
  SpecificationMatching,
  SpecificationMatchingWithoutKey,
  withMatchingTexts,
} from './matching/matching-content.ts'
import { readMatching } from './matching/matching-validation.ts'
import {
  copyOfDropDown,
  dropDownFingerprint,
  dropDownToSpecification,
  dropDownWithoutKey,
  SpecificationDropDown,
  SpecificationDropDownWithoutKey,
} from './drop-down/drop-down-content.ts'
import { readDropDown } from './drop-down/drop-down-validation.ts'
import {
  copyOfOrdering,
  orderingFingerprint,
  orderingToSpecification,
  orderingWithoutKey,
  SpecificationOrdering,
  SpecificationOrderingWithoutKey,
} from './ordering/ordering-content.ts'
import {
  copyOfHotSpot,
  hotSpotFingerprint,
  hotSpotToSpecification,
  hotSpotWithoutKey,
  SpecificationHotSpot,
  SpecificationHotSpotWithoutKey,
} from './hot-spot/hot-spot-content.ts'
import { readHotSpot } from './hot-spot/hot-spot-validation.ts'
import { readOrdering } from './ordering/ordering-validation.ts'
import {
  numericalFingerprint,
  numericalToSpecification,
  numericalWithoutKey,
  SpecificationNumerical,
  SpecificationNumericalWithoutKey,
} from './numerical/numerical-content.ts'
import { readNumerical } from './numerical/numerical-validation.ts'
import {
  copyOfShortAnswer,
  shortAnswerFingerprint,
  shortAnswerToSpecification,
  shortAnswerWithoutKey,
  SpecificationShortAnswer,
  SpecificationShortAnswerWithoutKey,
} from './short-answer/short-answer-content.ts'
import { readShortAnswer } from './short-answer/short-answer-validation.ts'
import { Question, type QuestionType } from './question-types.schema.ts'
import type { OfType } from './type-grading.ts'
import type { ReadBody } from './type-validation.ts'

/** What the bank does with the content of a type. */
interface TypeContent<Type extends QuestionType> {
  /** Equal for questions that say the same. */
  fingerprint(question: OfType<Question, Type>): string
  /** Changes with anything that the question says (`contentText`). */
  contentText(question: OfType<Question, Type>): string
  /** A copy under another key with new ids of its parts, so that no stored answer refers to them. */
  copy(question: OfType<Question, Type>, id: string): OfType<Question, Type>
  readonly readBody: ReadBody<Type>
  /** The texts that only this type has, such as those of options. */
  texts(question: OfType<Question, Type>): string[]
  /** The question with each of these texts changed. */
  withTexts(question: OfType<Question, Type>, change: (text: string) => string): OfType<Question, Type>
  /** The question in the fields of the specification. */
  toSpecification(question: OfType<Question, Type>): SpecificationQuestion
  /** The same without answer key and explanation. */
  withoutKey(question: OfType<Question, Type>): SpecificationQuestionWithoutKey
}

const registry: { readonly [Type in QuestionType]: TypeContent<Type> } = {
  choice: {
    fingerprint: choiceFingerprint,
    contentText: choiceContentText,
    copy: copyOfChoice,
    readBody: readChoice,
    texts: ({ options }) => options.map(({ text }) => text),
    withTexts: (question, change) => ({
      ...question,
      options: question.options.map((option) => ({ ...option, text: change(option.text) })),
    }),
    toSpecification: choiceToSpecification,
    withoutKey: choiceWithoutKey,
  },
  'drop-down': {
    fingerprint: dropDownFingerprint,
    contentText: contentTextOf,
    copy: copyOfDropDown,
    readBody: readDropDown,
    texts: ({ gaps }) => gaps.flatMap(({ options }) => options.map(({ text }) => text)),
    withTexts: (question, change) => ({
      ...question,
      gaps: question.gaps.map((gap) => ({
        ...gap,
        options: gap.options.map((option) => ({ ...option, text: change(option.text) })),
      })),
    }),
    toSpecification: dropDownToSpecification,
    withoutKey: dropDownWithoutKey,
  },
  ordering: {
    fingerprint: orderingFingerprint,
    contentText: contentTextOf,
    copy: copyOfOrdering,
    readBody: readOrdering,
    texts: ({ items }) => items.map(({ text }) => text),
    withTexts: (question, change) => ({
      ...question,
      items: question.items.map((item) => ({ ...item, text: change(item.text) })),
    }),
    toSpecification: orderingToSpecification,
    withoutKey: orderingWithoutKey,
  },
  numerical: {
    fingerprint: numericalFingerprint,
    contentText: contentTextOf,
    copy: (question, id) => ({ ...question, id }),
    readBody: readNumerical,
    texts: () => [],
    withTexts: (question) => question,
    toSpecification: numericalToSpecification,
    withoutKey: numericalWithoutKey,
  },
  'short-answer': {
    fingerprint: shortAnswerFingerprint,
    contentText: contentTextOf,
    copy: copyOfShortAnswer,
    readBody: readShortAnswer,
    // Accepted forms are no Markdown.
    texts: () => [],
    withTexts: (question) => question,
    toSpecification: shortAnswerToSpecification,
    withoutKey: shortAnswerWithoutKey,
  },
  'hot-spot': {
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
  },
  matching: {
    fingerprint: matchingFingerprint,
    contentText: contentTextOf,
    copy: copyOfMatching,
    readBody: readMatching,
    texts: ({ prompts, options }) => [...prompts, ...options].map(({ text }) => text),
    withTexts: withMatchingTexts,
    toSpecification: matchingToSpecification,
    withoutKey: matchingWithoutKey,
  },
}

/** The content of a type. The cast is safe because the callers below pass questions of that type. */
function contentOf({ type }: { readonly type: QuestionType }): TypeContent<QuestionType> {
  return registry[type] as TypeContent<QuestionType>
}

/** A question in the fields that the specification gives it (docs/product.md, stored questions). */
export const SpecificationQuestion = z.union([
  SpecificationOrdering,
  SpecificationHotSpot,
  SpecificationMatching,
  SpecificationNumerical,
  SpecificationShortAnswer,
  SpecificationDropDown,
  SpecificationChoice,
  LetteredChoice,
])
export type SpecificationQuestion = z.infer<typeof SpecificationQuestion>

/** The same as guests and students receive it, without answer key and explanation. */
export const SpecificationQuestionWithoutKey = z.union([
  SpecificationDropDownWithoutKey,
  SpecificationOrderingWithoutKey,
  SpecificationHotSpotWithoutKey,
  SpecificationMatchingWithoutKey,
  SpecificationNumericalWithoutKey,
  SpecificationShortAnswerWithoutKey,
  SpecificationChoiceWithoutKey,
  LetteredWithoutKey,
])
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
