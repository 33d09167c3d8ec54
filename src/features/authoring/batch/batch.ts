import { withTexts } from '../../questions/types/content-registry.ts'
import { editOf, namedTexts } from '../../questions/types/edit-registry.ts'
import type { QuestionEdit } from '../../questions/types/question-edit.schema.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import type { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import type { CaseStudyEdit } from '../case-studies/draft-case-studies.schema.ts'
import type { NamedText } from '../../questions/types/type-editing.ts'

export type Wording = { readonly find: string; readonly matchCase: boolean }

/** The texts of a question in reading order. */
function namedTextsOf(question: Question): NamedText[] {
  return [
    { name: 'Question', text: question.stem },
    ...namedTexts(question),
    { name: 'Explanation', text: question.explanation },
    { name: 'Domain', text: question.domain },
    { name: 'Link', text: question.url },
  ]
}

function patternOf({ find, matchCase }: Wording): RegExp {
  return new RegExp(find.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), matchCase ? 'gu' : 'giu')
}

type WordMatch = {
  readonly part: string
  readonly before: string
  readonly matched: string
  readonly after: string
}

/** Characters shown before and after a match. */
const CONTEXT = 60

/** The matches in a question, each with its surroundings. */
export const matchesIn = (question: Question, wording: Wording) => matchesOf(namedTextsOf(question), wording)

/** The matches in a case study, each with its surroundings. */
export const matchesInCaseStudy = (caseStudy: CaseStudy, wording: Wording) => {
  const tabs = caseStudy.tabs.flatMap(({ title, body }, place): NamedText[] => [
    { name: `Name of tab ${place + 1}`, text: title },
    { name: title, text: body },
  ])
  return matchesOf([{ name: 'Title', text: caseStudy.title }, ...tabs], wording)
}

function matchesOf(texts: readonly NamedText[], wording: Wording): WordMatch[] {
  const pattern = patternOf(wording)
  return texts.flatMap(({ name, text }) =>
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
  const { domain, url } = question
  return editOf({ ...withTexts(question, replace), domain: replace(domain), url: replace(url) })
}

/** The edit that replaces words in a case study. */
export function replaceInCaseStudy(caseStudy: CaseStudy, wording: Wording, replaceWith: string): CaseStudyEdit {
  const pattern = patternOf(wording)
  const replace = (text: string) => text.replaceAll(pattern, () => replaceWith)
  const tabs = caseStudy.tabs.map(({ id, title, body }) => ({ id, title: replace(title), body: replace(body) }))
  return { title: replace(caseStudy.title), tabs }
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
