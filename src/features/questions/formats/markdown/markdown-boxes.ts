import { lostPart } from '../lost-parts.schema.ts'
import { explainedTexts, readParts } from '../../types/format-registry.ts'
import { joinExplanations } from '../part-explanations.ts'
import type { ParsedQuestion } from '../parsed-question.ts'
import { fencesIn } from './markdown-fences.ts'

export const BOXED = /^([ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+\[([ xX]?)\](?:[ \t]+(.*)|[ \t]*$)/
const QUOTE = /^[ \t]*>[ \t]?(.*)$/
const BACK_TO_TOP = /^[ \t*]*\[[^[\]]*back to (?:the )?top[^[\]]*\]\(#[^()]*\)[ \t*]*$/i
const LABEL = /^[ \t]*(?:#{1,6}[ \t]+)?\**explanation\**[ \t]*:?\**[ \t]*:?[ \t]*(.*)$/i

/**
 * Reads the text, the parts with checkboxes and the explanations of one question. A quote below a part explains that part; other
 * text below the parts explains the question.
 */
export function takeBoxes(read: ParsedQuestion, lines: string[]): void {
  const { isFenced } = fencesIn(lines)
  const stem: string[] = read.stem === '' ? [] : [read.stem]
  const parts: { isMarked: boolean; lines: string[]; hasText: boolean; why: string[]; indent: number }[] = []
  const overall: string[] = []
  let hasOverall = false
  /** Whether the lines belong to code that is the text of a part, although they are not indented. */
  let isPartCode = false
  for (const [at, line] of lines.entries()) {
    const box = isFenced[at] || hasOverall ? null : BOXED.exec(line)
    const last = parts.at(-1)
    const quote = isFenced[at] ? null : QUOTE.exec(line)
    const isWithoutText = last !== undefined && !hasOverall && !last.hasText
    isPartCode = isFenced[at] === true && (isPartCode || isWithoutText)
    if (isPartCode) last?.lines.push(withoutIndent(line, last.indent))
    else if (box) {
      const indent = (box[1] ?? '').length
      const text = box[3] ?? ''
      parts.push({ isMarked: /x/i.test(box[2] ?? ''), lines: [text], hasText: text.trim() !== '', why: [], indent })
    } else if (!isFenced[at] && BACK_TO_TOP.test(line)) read.lost.push(lostPart('link'))
    else if (!last) stem.push(line)
    else if (hasOverall) overall.push(line)
    else if (quote) last.why.push(quote[1] ?? '')
    else if (line.trim() === '') (last.why.length > 0 ? last.why : last.lines).push('')
    else if (/^(?: {2}|\t)/.test(line) && (last.lines.at(-1) !== '' || last.lines.length > 1)) {
      last.lines.push(withoutIndent(line, last.indent))
      last.hasText = true
    } else {
      hasOverall = true
      const labelled = LABEL.exec(line)
      overall.push(labelled ? (labelled[1] ?? '') : line)
    }
  }
  read.stem = stem.join('\n')
  const boxed = parts.map(({ isMarked, lines }) => ({ isMarked, text: lines.join('\n').trim() }))
  read.body = readParts('markdown-boxes', { parts: boxed }, read).body
  const each = parts.map(({ why }) => why.join('\n'))
  read.explanation = joinExplanations({ overall: overall.join('\n'), each }, explainedTexts(read.body))
}

/** A line of a part without the blanks below its mark. */
function withoutIndent(line: string, indent: number): string {
  return line.replace(new RegExp(`^[ \\t]{0,${indent + 2}}`), '')
}
