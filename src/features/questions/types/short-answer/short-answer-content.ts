import { md5Hex } from '../../../../lib/md5.ts'
import { derivePartIds } from '../parts/part-ids.ts'
import { contentTextOf } from '../parts/content-text.ts'
import { specificationFields } from '../parts/typed-specification.ts'
import type { TypeContent } from '../type-content.ts'
import type { ShortAnswerQuestion } from './short-answer.schema.ts'
import { readShortAnswer } from './short-answer-validation.ts'

export const shortAnswerContent: TypeContent<'short-answer'> = {
  fingerprint: shortAnswerFingerprint,
  contentText: contentTextOf,
  copy: copyOfShortAnswer,
  readBody: readShortAnswer,
  // Accepted forms are no Markdown.
  texts: () => [],
  withTexts: (question) => question,
  toSpecification: shortAnswerToSpecification,
  withoutKey: shortAnswerWithoutKey,
}

/** Equal for questions with equal stem and equal forms, the first of them in front. */
function shortAnswerFingerprint({ stem, forms, isCaseSensitive }: ShortAnswerQuestion): string {
  const [first = '', ...others] = forms.map(({ text }) => text)
  return md5Hex(JSON.stringify(['short-answer', stem, isCaseSensitive, first, others.sort()]))
}

/** A copy under another key with ids of its own. */
function copyOfShortAnswer(question: ShortAnswerQuestion, id: string): ShortAnswerQuestion {
  const ids = derivePartIds(
    id,
    question.forms.map(({ text }) => text),
  )
  return { ...question, id, forms: question.forms.map((form, place) => ({ ...form, id: ids[place] ?? '' })) }
}

function shortAnswerToSpecification(question: ShortAnswerQuestion) {
  const { forms, isCaseSensitive } = question
  return {
    ...specificationFields(question),
    type: 'short-answer' as const,
    answer_a: '',
    answer_b: '',
    final_answer: forms.map(({ text }) => text).join('\n'),
    body: { forms, isCaseSensitive },
  }
}

function shortAnswerWithoutKey({ id, stem, domain }: ShortAnswerQuestion) {
  return { id, type: 'short-answer' as const, question: stem, domain, answer_a: '', answer_b: '', body: {} }
}
