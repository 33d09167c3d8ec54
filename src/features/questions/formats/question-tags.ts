import { normaliseLine } from '../question-text.ts'
import { Difficulty } from '../types/question-base.schema.ts'
import { lostPart } from './lost-parts.schema.ts'
import type { ParsedQuestion } from './parsed-question.ts'

/** The tag for questions that need review, in formats with tags. */
export const NEEDS_REVIEW_TAG = 'needs-review'

/** Reads a tag: a difficulty, that the question needs review, or something for which the bank has no field. */
export function takeTag(read: ParsedQuestion, written: string): void {
  const tag = normaliseLine(written)
  const word = tag.toLowerCase().replace(/^(?:difficulty|level)\s*[:=]\s*/, '')
  const difficulty = Difficulty.safeParse(word)
  if (tag === '') return
  if (tag === NEEDS_REVIEW_TAG) read.facts = { ...read.facts, needs_review: true }
  else if (difficulty.success) read.facts = { ...read.facts, difficulty: difficulty.data }
  else read.lost.push(lostPart('tag', tag))
}
