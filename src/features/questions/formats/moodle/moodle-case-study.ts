import { readCaseStudy } from '../../case-studies/case-studies.ts'
import { CASE_STUDY_QUESTIONS, type CaseStudy } from '../../case-studies/case-study.schema.ts'
import { withAddresses } from '../../image-addresses.ts'
import { normaliseLine } from '../../question-text.ts'
import { QuestionKey } from '../../types/question-base.schema.ts'
import { sha256Hex } from '../../../../lib/sha256.ts'
import { lostPart, type LostPart } from '../lost-parts.schema.ts'
import { escapedLines } from '../markup/html-to-markdown.ts'
import { childOf, textIn, type XmlElement } from '../markup/xml-tree.ts'
import { type ClozeGap, clozeGaps, withClozeGaps } from './moodle-cloze.ts'
import { moodleTypeOf, withText, writtenText } from './moodle-text.ts'

/*
 * A cloze whose gaps are not all lists asks several questions about one text: a case study. Its scenario is the text with a mark
 * such as `[2]` for each gap, and each question is the line of its gap, with the gap alone.
 */

/** The name of the only tab of such a case study. */
export const TEXT_TAB = 'Text'
/** Case studies of one text are at most as many as these gaps fill. */
const MOST_GAPS = 40

interface ClozePart {
  readonly caseStudy: CaseStudy
  /** False for a cloze that stands before. */
  readonly isNew: boolean
  /** The number of its first gap. */
  readonly first: number
  /** A cloze with one gap for each question. */
  readonly questions: readonly XmlElement[]
  /** What the first question loses for all. */
  readonly lost: readonly LostPart[]
}

/** Whether the gaps of a cloze are questions of their own. */
export function isApart(root: XmlElement): boolean {
  const gaps = moodleTypeOf(root) === 'cloze' ? clozeGaps(writtenText(root)) : []
  if (gaps.length < CASE_STUDY_QUESTIONS.min || gaps.length > MOST_GAPS) return false
  const isDropDown = gaps.every(({ kind }) => kind === 'list') && gaps.length <= CASE_STUDY_QUESTIONS.max
  return !isDropDown && gaps.every(({ kind }) => kind !== 'other')
}

/** Why no question is made of a cloze. */
export function whyNoCloze(root: XmlElement): string {
  const gaps = clozeGaps(writtenText(root))
  const others = [...new Set(gaps.flatMap(({ kind, name }) => (kind === 'other' ? [name] : [])))]
  if (gaps.length === 0) return 'cloze without a gap'
  if (others.length > 0) return `cloze with gaps of the kind ${others.join(', ')}`
  return gaps.length > MOST_GAPS
    ? `cloze with ${gaps.length} gaps, of which at most ${MOST_GAPS} can be read`
    : 'cloze whose text is too long'
}

/** The case studies of a cloze whose gaps stand apart: one for up to eight gaps. @param taken keys of case studies before */
export function clozeParts(
  root: XmlElement,
  { markdownOf, taken }: { markdownOf: (element: XmlElement | undefined) => string; taken: Set<string> },
): ClozePart[] {
  const text = writtenText(root)
  const gaps = clozeGaps(text)
  const markOf = marksFor(withClozeGaps(text, () => ''))
  const isMarkdown = childOf(root, 'questiontext')?.attributes['format'] === 'markdown'
  // A mark before a parenthesis would be a link. HTML is escaped where it is converted.
  const marked = withClozeGaps(text, (number, behind) =>
    isMarkdown && behind.startsWith('(') ? `\\${markOf(number)}` : markOf(number),
  )
  const body = markdownOf(withText(root, marked))
  const name = normaliseLine(textIn(childOf(root, 'name', 'text')))
  const given = normaliseLine(textIn(childOf(root, 'idnumber')))
  const isKey = QuestionKey.safeParse(given).success && !taken.has(given)
  const key = isKey ? given : `cs-${sha256Hex([name, text].join('\u001f')).slice(0, 16)}`
  const counts = evenCounts(gaps.length)
  let first = 0
  const parts = counts.map((count, at): ClozePart | null => {
    const turn = counts.length === 1 ? '' : ` (${at + 1} of ${counts.length})`
    const title = (name || 'Case study').slice(0, 200 - turn.length) + turn
    const id = at === 0 ? key : `${key.slice(0, 96)}-${at + 1}`
    const caseStudy = readCaseStudy({ id, title, tabs: [{ title: TEXT_TAB, body }] }, () => undefined)
    if (caseStudy === null) return null
    const isNew = !taken.has(id)
    taken.add(id)
    const own = gaps.slice(first, first + count)
    const questions = own.map((gap, place) =>
      questionOf(root, { gap, line: lineOf(caseStudy, markOf(first + place + 1)), isFirst: at + place === 0, isKey }),
    )
    first += count
    return {
      caseStudy,
      isNew,
      first: first - count + 1,
      questions,
      lost: at === 0 && areUneven(gaps) ? [lostPart('weights')] : [],
    }
  })
  return parts.every((part) => part !== null) ? parts : []
}

/** `[1]`, or other marks if the text has such ones itself. */
function marksFor(text: string): (number: number) => string {
  return /\[\\?\d+\\?\]/.test(text) ? (number) => `[Gap ${number}]` : (number) => `[${number}]`
}

/** As few case studies as possible, and none much smaller than another. */
function evenCounts(all: number): number[] {
  const parts = Math.ceil(all / CASE_STUDY_QUESTIONS.max)
  return Array.from({ length: parts }, (_, at) => Math.floor((all * (at + 1)) / parts) - Math.floor((all * at) / parts))
}

function areUneven(gaps: readonly ClozeGap[]): boolean {
  return gaps.some(({ weight }) => weight !== gaps[0]?.weight)
}

/** What a question says of itself, beside what it shares with the others. Settings are told once. */
const SHARED: ReadonlySet<string> = new Set(['generalfeedback', 'tags'])
const TOLD_ELSEWHERE: ReadonlySet<string> = new Set(['name', 'questiontext'])

function questionOf(
  root: XmlElement,
  { gap, line, isFirst, isKey }: { gap: ClozeGap; line: GapLine; isFirst: boolean; isKey: boolean },
): XmlElement {
  const children = root.children.filter(
    (child) =>
      typeof child !== 'string' &&
      (SHARED.has(child.name) || (isFirst && !TOLD_ELSEWHERE.has(child.name) && !(isKey && child.name === 'idnumber'))),
  )
  const text = withText(root, line.before + gap.source + line.behind)
  return {
    ...root,
    children: [...(text ? [{ ...text, attributes: { format: 'markdown' } }] : []), ...children],
  }
}

interface GapLine {
  readonly before: string
  readonly behind: string
}

/** What stands around a gap in its line of a scenario. A line of code, of a table, or without words gives way to the title. */
export function lineOf({ title, tabs }: CaseStudy, mark: string): GapLine {
  const lines = (tabs[0]?.body ?? '').split('\n')
  const at = lines.findIndex((line) => placeOf(line, mark) !== null)
  const line = withoutPictures(lines[at] ?? '').replace(LINE_MARKS, '')
  const place = placeOf(line, mark)
  const isCode =
    lines.slice(0, at).filter((one) => FENCE.test(one)).length % 2 === 1 || /^(?: {4}|\t)/.test(lines[at] ?? '')
  if (place === null || isCode || line.startsWith('|') || line.length > MOST_LINE || !hasWords(line, mark))
    return { before: `${escapedLines(title)}: ${mark} is `, behind: '.' }
  return {
    before: line.slice(0, place.from).trimStart(),
    behind: line.slice(place.to).trimEnd(),
  }
}

const FENCE = /^\s*(?:>\s*)*(?:`{3}|~{3})/
const LINE_MARKS = /^\s*(?:(?:>|[-*+](?=\s)|\d{1,9}[.)](?=\s)|#{1,6}(?=\s))\s*)*/
const MOST_LINE = 1000

/** Where a mark stands, which may have a backslash before it. */
export function placeOf(text: string, mark: string): { from: number; to: number } | null {
  const at = text.indexOf(mark)
  return at === -1 ? null : { from: text.charAt(at - 1) === '\\' ? at - 1 : at, to: at + mark.length }
}

function hasWords(line: string, mark: string): boolean {
  return /\p{L}{2}/u.test(line.replace(mark, '').replace(/\[Gap \d+\]/g, ''))
}

function withoutPictures(line: string): string {
  if (!line.includes('![')) return line
  return withAddresses(line, () => 'x').replace(/!\[[^[\]\n]*\]\(x\)/g, '')
}
