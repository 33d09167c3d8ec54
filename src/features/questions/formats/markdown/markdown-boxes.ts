import { lostSentences } from '../formats.copy.ts'
import { joinExplanations } from '../option-explanations.ts'
import type { ParsedQuestion } from '../parsed-question.ts'
import { fencesIn } from './markdown-marks.ts'

export const BOXED = /^([ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+\[([ xX]?)\](?:[ \t]+(.*)|[ \t]*$)/
const QUOTE = /^[ \t]*>[ \t]?(.*)$/
const BACK_TO_TOP = /^[ \t*]*\[[^[\]]*back to (?:the )?top[^[\]]*\]\(#[^()]*\)[ \t*]*$/i
const LABEL = /^[ \t]*(?:#{1,6}[ \t]+)?\**explanation\**[ \t]*:?\**[ \t]*:?[ \t]*(.*)$/i

/**
 * The text, the answers with checkboxes and the explanations of one question. A quote below an answer is about that
 * answer; other text below the answers is about them all.
 */
export function takeBoxes(read: ParsedQuestion, lines: string[]): void {
  const { isFenced } = fencesIn(lines)
  const stem: string[] = read.stem === '' ? [] : [read.stem]
  const options: { isRight: boolean; lines: string[]; why: string[]; indent: number }[] = []
  const overall: string[] = []
  let hasOverall = false
  for (const [at, line] of lines.entries()) {
    const box = isFenced[at] || hasOverall ? null : BOXED.exec(line)
    const last = options.at(-1)
    const quote = isFenced[at] ? null : QUOTE.exec(line)
    if (box) {
      const indent = (box[1] ?? '').length
      options.push({ isRight: /x/i.test(box[2] ?? ''), lines: [box[3] ?? ''], why: [], indent })
    } else if (!isFenced[at] && BACK_TO_TOP.test(line)) read.lost.push(lostSentences.link())
    else if (!last) stem.push(line)
    else if (hasOverall) overall.push(line)
    else if (quote) last.why.push(quote[1] ?? '')
    else if (line.trim() === '') (last.why.length > 0 ? last.why : last.lines).push('')
    else if (/^(?: {2}|\t)/.test(line) && (last.lines.at(-1) !== '' || last.lines.length > 1)) {
      last.lines.push(line.replace(new RegExp(`^[ \\t]{0,${last.indent + 2}}`), ''))
    } else {
      hasOverall = true
      const labelled = LABEL.exec(line)
      overall.push(labelled ? (labelled[1] ?? '') : line)
    }
  }
  read.stem = stem.join('\n')
  read.options = options.map(({ isRight, lines }) => ({ isRight, text: lines.join('\n').trim() }))
  const each = options.map(({ why }) => why.join('\n'))
  const texts = read.options.map(({ text }) => text)
  read.explanation = joinExplanations({ overall: overall.join('\n'), each }, texts)
}
