import type { Question } from '../../questions/questions.schema.ts'
import type { QuestionEdit } from '../drafts/drafts.schema.ts'

export type Wording = { readonly find: string; readonly matchCase: boolean }

/** A text of a question, in reading order. */
type Part = { readonly name: string; readonly text: string }

function partsOf({ stem, options, explanation, domain, url }: Question): Part[] {
  return [
    { name: 'Question', text: stem },
    ...options.map(({ text }, place) => ({ name: `Answer ${String.fromCharCode(65 + place)}`, text })),
    { name: 'Explanation', text: explanation },
    { name: 'Domain', text: domain },
    { name: 'Link', text: url },
  ]
}

function patternOf({ find, matchCase }: Wording): RegExp {
  return new RegExp(find.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), matchCase ? 'gu' : 'giu')
}

export type WordMatch = {
  readonly part: string
  readonly before: string
  readonly matched: string
  readonly after: string
}

/** Characters shown before and after a match. */
const CONTEXT = 60

/** The matches in a question, each with its surroundings. */
export function matchesIn(question: Question, wording: Wording): WordMatch[] {
  const pattern = patternOf(wording)
  return partsOf(question).flatMap(({ name, text }) =>
    [...text.matchAll(pattern)].map((match) => ({
      part: name,
      before: oneLine(text.slice(Math.max(0, match.index - CONTEXT), match.index)),
      matched: match[0],
      after: oneLine(text.slice(match.index + match[0].length, match.index + match[0].length + CONTEXT)),
    })),
  )
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

/** The edit that replaces words in a question. Both texts are literal, not patterns. */
export function replaceIn(question: Question, wording: Wording, replaceWith: string): QuestionEdit {
  const pattern = patternOf(wording)
  const replace = (text: string) => text.replaceAll(pattern, () => replaceWith)
  return {
    stem: replace(question.stem),
    options: question.options.map(({ id, text, isRight }) => ({ id, text: replace(text), isRight })),
    explanation: replace(question.explanation),
    domain: replace(question.domain),
    url: replace(question.url),
    needsReview: question.needsReview,
  }
}

/** Moves members of a list, in their order, before another one; to the end if `before` is null. */
export function movedBefore(all: readonly string[], moved: readonly string[], before: string | null): string[] {
  const isMoved = new Set(moved)
  const block = all.filter((id) => isMoved.has(id))
  // If `before` itself is moved, the next member that is not moved takes its role.
  const from = before === null ? all.length : all.indexOf(before)
  const next = from === -1 ? undefined : all.slice(from).find((id) => !isMoved.has(id))
  const rest = all.filter((id) => !isMoved.has(id))
  const at = next === undefined ? rest.length : rest.indexOf(next)
  return [...rest.slice(0, at), ...block, ...rest.slice(at)]
}

/** A list in the given order. Members that are not named follow in the old order; unknown names are ignored. */
export function orderedAs(all: readonly string[], order: readonly string[]): string[] {
  const known = new Set(all)
  return [...new Set([...order.filter((id) => known.has(id)), ...all])]
}
