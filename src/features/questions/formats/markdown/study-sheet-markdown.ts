import { stringify } from 'yaml'
import { normaliseText, withoutEnd } from '../../question-text.ts'
import { StudySheet } from '../../study-sheet.schema.ts'
import { VerifiedOn } from '../../types/question-base.schema.ts'
import type { FileFinding } from '../formats.schema.ts'
import { slugOf } from './exam-markdown.ts'
import { fencesIn } from './markdown-fences.ts'
import { Findings, linesOf, readHead } from './markdown-head.ts'

/** The headings of a sheet, in their order. */
export const SHEET_SECTIONS = [
  'What the domain asks',
  'Services and what each is for',
  'Limits worth knowing',
  'Which one, when',
  'Traps',
] as const

/** A sheet prints on two pages. */
const WORDS = { least: 600, most: 1100 }

export type SheetSection = { readonly title: string; readonly text: string }

/** Reads any text without throwing; the sheet is null if it can't be stored. @param domains of the course's blueprint, null without one */
export function parseStudySheet(
  text: string,
  file: string,
  domains: readonly string[] | null,
): { sheet: StudySheet | null; findings: FileFinding[] } {
  const lines = linesOf(text)
  const findings = new Findings(file)
  const { head, body: begin } = readHead(lines, findings, /^## /)
  const { shape } = StudySheet
  const domain = head.read('domain', shape.domain)
  const order = head.read('order', shape.order)
  const guide = head.read('guide', shape.guide)
  const verifiedOn = head.read('verified_on', VerifiedOn, { isOptional: true }) ?? null
  const sources = head.read('sources', shape.sources.min(1))
  head.refuseOthers()
  for (const source of sources ?? []) if (isLandingPage(source)) findings.add('sheet-source', 1, source)
  if (domain !== undefined && domains !== null && !domains.includes(domain)) findings.add('sheet-domain', 1, domain)
  const body = normaliseText(lines.slice(begin).join('\n'))
  const titles = sectionsOf(body).map(({ title }) => title)
  if (titles.join('\n') !== SHEET_SECTIONS.join('\n')) findings.add('sheet-sections', begin + 1, titles.join(', '))
  const words = countWords(body)
  if (words < WORDS.least || words > WORDS.most) findings.add('sheet-words', begin + 1, String(words), 'warning')
  const given = { domain, order, guide, verifiedOn, sources: sources ?? [], body, slug: slugOf(domain ?? '') }
  const sheet = StudySheet.safeParse(given)
  return { sheet: sheet.success ? sheet.data : null, findings: findings.inOrder() }
}

/** The text that `parseStudySheet` reads as the same sheet. */
export function printStudySheet({ domain, order, guide, verifiedOn, sources, body }: StudySheet): string {
  const head = { domain, order, guide, ...(verifiedOn !== null && { verified_on: verifiedOn }), sources }
  return `---\n${stringify(head, { lineWidth: 0 })}---\n\n${body}\n`
}

/** The path of a sheet in the folder of its course. */
export const sheetPath = ({ order, slug }: StudySheet) => `study/${order}-${slug}.md`

/** Whether a Markdown file is a study sheet: its head has a domain and sources. */
export function isStudySheet(text: string): boolean {
  const head = /^---[ \t]*\n(.*?)\n---[ \t]*$/ms.exec(text)
  return head?.index === 0 && /^domain:/m.test(head[1] ?? '') && /^sources:/m.test(head[1] ?? '')
}

/** The text below each heading of level 2. Text before the first one has an empty title. */
export function sectionsOf(body: string): SheetSection[] {
  const lines = body.split('\n')
  const isFenced = fencesIn(lines).isFenced
  const sections: { title: string; lines: string[] }[] = []
  for (const [at, line] of lines.entries()) {
    const title = isFenced[at] ? undefined : /^##[ \t]+(.*)$/.exec(line)?.[1]
    if (title !== undefined) sections.push({ title: withoutEnd(title, ' \t'), lines: [] })
    else if (sections.length > 0) sections.at(-1)?.lines.push(line)
    else if (line.trim() !== '') sections.push({ title: '', lines: [line] })
  }
  return sections.map(({ title, lines: text }) => ({ title, text: text.join('\n').trim() }))
}

/** Words with a letter or a digit; marks of Markdown are none. */
function countWords(body: string): number {
  return body.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

function isLandingPage(source: string): boolean {
  return /^https:\/\/[^/]+\/*$/.test(source)
}
