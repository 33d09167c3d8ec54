import type { AnswerShape } from './question-types.schema.ts'

/*
 * Before questions had types, each was a choice. Earlier builds sent and stored an answer as a list of option ids (`selection`),
 * the shape of a question as `answers` with `isMultiple`, and questions without `type`.
 */

/** The answer that a former `selection` holds; null for an empty one. Other values stay, for the schema to refuse. */
export function answerOfSelection(selection: unknown): unknown {
  if (!Array.isArray(selection)) return selection
  return selection.length === 0 ? null : { type: 'choice', optionIds: selection }
}

/** The answer key that a former list of right options holds, even if the list is empty. */
export function keyOfSelection(selection: unknown): unknown {
  return Array.isArray(selection) ? { type: 'choice', optionIds: selection } : selection
}

/** A record with `answer` in the place of a former `selection`. Records of today stay as they are. */
export function withAnswer(record: unknown): unknown {
  if (typeof record !== 'object' || record === null || 'answer' in record || !('selection' in record)) return record
  const { selection, ...rest } = record
  return { ...rest, answer: answerOfSelection(selection) }
}

/** An entry of a stored order with `shape` in the place of the former `answers` and `isMultiple`. */
export function withShape(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || 'shape' in entry || !('answers' in entry)) return entry
  const { answers, isMultiple, ...rest } = entry as { answers: string[]; isMultiple?: boolean }
  const shape: AnswerShape = { type: 'choice', optionIds: answers, isMultiple: isMultiple ?? false }
  return { ...rest, shape }
}

/** A question with its type. */
export function withType(question: unknown): unknown {
  return typeof question === 'object' && question !== null && !('type' in question)
    ? { ...question, type: 'choice' }
    : question
}
