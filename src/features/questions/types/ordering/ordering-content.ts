import { md5Hex } from '../../../../lib/md5.ts'
import { derivePartIds } from '../parts/part-ids.ts'
import { contentTextOf } from '../parts/content-text.ts'
import { specificationFields } from '../parts/typed-specification.ts'
import type { TypeContent } from '../type-content.ts'
import { distractorsOf, stepsOf } from './ordering-grading.ts'
import type { OrderingQuestion } from './ordering.schema.ts'
import { readOrdering } from './ordering-validation.ts'

export const orderingContent: TypeContent<'ordering'> = {
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
}

/** Equal for questions with equal stem, steps in equal order and equal distractors. */
function orderingFingerprint(question: OrderingQuestion): string {
  const out = distractorsOf(question).map(({ text }) => text)
  return md5Hex(JSON.stringify(['ordering', question.stem, stepsOf(question).map(({ text }) => text), out.sort()]))
}

/** A copy under another key with ids of its own. */
function copyOfOrdering(question: OrderingQuestion, id: string): OrderingQuestion {
  const ids = derivePartIds(
    id,
    question.items.map(({ text }) => text),
  )
  const next = new Map(question.items.map((item, place) => [item.id, ids[place] ?? '']))
  return {
    ...question,
    id,
    items: question.items.map((item) => ({ ...item, id: next.get(item.id) ?? '' })),
    orderedIds: question.orderedIds.map((old) => next.get(old) ?? ''),
  }
}

function orderingToSpecification(question: OrderingQuestion) {
  return {
    ...specificationFields(question),
    type: 'ordering' as const,
    answer_a: linesOf(question.items.toSorted((one, other) => one.text.localeCompare(other.text))),
    answer_b: '',
    final_answer: linesOf(stepsOf(question)),
    body: { steps: stepsOf(question), distractors: distractorsOf(question) },
  }
}

/** The items by their texts, so that their order says nothing. */
function orderingWithoutKey(question: OrderingQuestion) {
  const { id, stem, domain, orderedIds } = question
  const items = question.items.toSorted((one, other) => one.text.localeCompare(other.text))
  return {
    id,
    type: 'ordering' as const,
    question: stem,
    domain,
    answer_a: linesOf(items),
    answer_b: '',
    body: { items: items.map((item) => ({ id: item.id, text: item.text })), stepCount: orderedIds.length },
  }
}

function linesOf(items: readonly { readonly text: string }[]): string {
  return items.map(({ text }) => text).join('\n')
}
