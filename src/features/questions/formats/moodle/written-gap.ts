import { htmlToMarkdown } from '../markup/html-to-markdown.ts'
import { markdownToInlineHtml } from '../markup/markdown-to-html.ts'

/** A question as a gap in a text: the name of its kind, and its answers. */
export interface WrittenGap {
  readonly name: string
  /** What stands for the gap in the question's own text; without it, a blank. */
  readonly mark?: string
  readonly answers: readonly GapAnswer[]
}

export interface GapAnswer {
  /** The text under which an explanation names it. */
  readonly explained: string
  /** As it stands in the gap. */
  readonly source: string
  readonly isRight: boolean
}

/** @param each the explanation of each answer, of those that `isCarriedByGap` says */
export function gapSource({ name, answers }: WrittenGap, each: readonly string[]): string {
  const written = answers.map(({ source, isRight }, place) => {
    const feedback = each[place] ?? ''
    // A share of nothing, where the text would read as a sign of its own.
    const mark = isRight ? '=' : /^[=%]/.test(source) ? '%0%' : ''
    return `${mark}${source}${feedback === '' ? '' : `#${htmlInGap(feedback)}`}`
  })
  return `{1:${name}:${written.join('~')}}`
}

/** Options and feedback are HTML in a gap, without pictures: a gap has no files of its own. */
export function isCarriedByGap(markdown: string): boolean {
  if (markdown.includes('![')) return false
  const lost: [] = []
  return htmlToMarkdown(htmlOf(markdown), { lost }) === markdown && lost.length === 0
}

/** A text that Moodle shows as HTML. It resolves entities once before it reads them. */
export function htmlInGap(markdown: string): string {
  return htmlOf(markdown)
    .replaceAll('&', '&amp;')
    .replace(/\\(?=[~}#]|$)|[~}#]/g, (sign) => SIGNS[sign] ?? sign)
}

const SIGNS: Readonly<Record<string, string>> = { '\\': '&\\#92;', '~': '&\\#126;', '}': '\\}', '#': '\\#' }

function htmlOf(markdown: string): string {
  return markdownToInlineHtml(markdown, (address) => address)
}

/** A text that learners write; null if a gap has no way to write it. Moodle leaves a backslash before a tilde where it is. */
export function plainInGap(text: string): string | null {
  if (/[~\n]|\\$/.test(text) || text.trim() !== text || text === '') return null
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replace(/[}#]/g, '\\$&')
}
