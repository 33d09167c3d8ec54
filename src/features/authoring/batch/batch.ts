import type { Question } from '../../questions/questions.schema.ts'
import type { QuestionEdit } from '../drafts/drafts.schema.ts'

export type Wording = { readonly find: string; readonly matchCase: boolean }

/** The parts of a question that are text, in the order in which they are read. */
type Part = { readonly name: string; readonly text: string }

function partsOf({ stem, options: answers, explanation, domain, url }: Question): Part[] {
  return [
    { name: 'Question', text: stem },
    ...answers.map(({ text }, place) => ({ name: `Answer ${String.fromCharCode(65 + place)}`, text })),
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

/** So much of the text stands beside a hit. */
const AROUND = 60

/** Where a question says something, each place with what stands around it. */
export function matchesIn(question: Question, wording: Wording): WordMatch[] {
  const pattern = patternOf(wording)
  return partsOf(question).flatMap(({ name, text }) =>
    [...text.matchAll(pattern)].map((match) => ({
      part: name,
      before: oneLine(text.slice(Math.max(0, match.index - AROUND), match.index)),
      matched: match[0],
      after: oneLine(text.slice(match.index + match[0].length, match.index + match[0].length + AROUND)),
    })),
  )
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

/** The question as an edit with other words: plain text, nothing in it has a meaning of its own. */
export function replaceIn(question: Question, wording: Wording, replaceWith: string): QuestionEdit {
  const pattern = patternOf(wording)
  const put = (text: string) => text.replaceAll(pattern, () => replaceWith)
  return {
    stem: put(question.stem),
    options: question.options.map(({ id, text, isRight }) => ({ id, text: put(text), isRight })),
    explanation: put(question.explanation),
    domain: put(question.domain),
    url: put(question.url),
    needsReview: question.needsReview,
  }
}

/** A list with some of its members in front of another one, in the order in which they stood; `before` null: at the end. */
export function movedBefore(all: readonly string[], moved: readonly string[], before: string | null): string[] {
  const isMoved = new Set(moved)
  const block = all.filter((id) => isMoved.has(id))
  // What is to stand behind may be moved itself: then behind the next one that is not.
  const from = before === null ? all.length : all.indexOf(before)
  const next = from === -1 ? undefined : all.slice(from).find((id) => !isMoved.has(id))
  const rest = all.filter((id) => !isMoved.has(id))
  const at = next === undefined ? rest.length : rest.indexOf(next)
  return [...rest.slice(0, at), ...block, ...rest.slice(at)]
}

/** A list in a wanted order: who is not named stays behind, in the old order, and who is gone is left out. */
export function orderedAs(all: readonly string[], wanted: readonly string[]): string[] {
  const known = new Set(all)
  return [...new Set([...wanted.filter((id) => known.has(id)), ...all])]
}
