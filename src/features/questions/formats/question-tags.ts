import { normaliseLine } from '../questions.ts'
import { Difficulty } from '../questions.schema.ts'
import { lostSentences } from './formats.copy.ts'
import type { ParsedQuestion } from './parsed-question.ts'

/** The tag under which formats with tags carry that a question needs review. */
export const NEEDS_REVIEW_TAG = 'needs-review'

/** A tag says a difficulty, or that the question needs review, or something that the bank has no place for. */
export function takeTag(read: ParsedQuestion, written: string): void {
  const tag = normaliseLine(written)
  const word = tag.toLowerCase().replace(/^(?:difficulty|level)\s*[:=]\s*/, '')
  const difficulty = Difficulty.safeParse(word)
  if (tag === '') return
  if (tag === NEEDS_REVIEW_TAG) read.facts = { ...read.facts, needs_review: true }
  else if (difficulty.success) read.facts = { ...read.facts, difficulty: difficulty.data }
  else read.lost.push(lostSentences.tag(tag))
}
