import { withoutEnd } from '../../question-text.ts'
import { findingStep, found, questionStep, type Reading } from '../parsed-question.ts'
import { BOXED, takeBoxes } from './markdown-boxes.ts'
import { fencesIn } from './markdown-fences.ts'
import type { ReadStep } from '../formats.schema.ts'

const HEADING = /^(#{1,6})[ \t]+(.*)$/
/** A heading inside a question. It begins no new question. */
const INSIDE = /^\**(?:explanation|answers?|options|reasons?|references?|correct answers?)\**:?$/i

/** Reads Markdown with questions as headings, and checkboxes below: `### stem`, `- [ ] option`. */
export function* readChecked(file: string, text: string, reading: Reading): Generator<ReadStep> {
  const lines = text.split('\n')
  const pieces = piecesOf(lines)
  const title = pieces.find(({ level, hasBoxes }) => level === 1 && !hasBoxes)?.heading
  if (title) yield { kind: 'exam', file, facts: { title: title.slice(0, 199) } }
  for (const { heading, level, from, to, hasBoxes } of pieces) {
    const inside = lines.slice(from, to)
    if (!hasBoxes) {
      const at = inside.findIndex((line) => line.trim() !== '')
      const isQuestion = level >= 3 && heading.endsWith('?')
      if (isQuestion) yield questionStep({ ...found(file, from), stem: heading }, reading)
      else if (at !== -1) yield leftOut(file, from + at + 1, inside[at] ?? '')
      continue
    }
    const read = found(file, Math.max(1, from))
    read.stem = heading.replace(/^\d{1,5}[.)][ \t]+/, '')
    takeBoxes(read, inside)
    yield questionStep(read, reading)
  }
}

function leftOut(file: string, line: number, about: string): ReadStep {
  return findingStep('text-outside-questions', { file, line, about: about.trim(), severity: 'warning' })
}

interface Piece {
  heading: string
  level: number
  /** The index of the first line below the heading, which is also the line number of the heading. */
  from: number
  to: number
  hasBoxes: boolean
}

function piecesOf(lines: string[]): Piece[] {
  const { isFenced } = fencesIn(lines)
  const pieces: Piece[] = [{ heading: '', level: 0, from: 0, to: 0, hasBoxes: false }]
  for (const [at, line] of lines.entries()) {
    const [, marks = '', written = ''] = (isFenced[at] ? null : HEADING.exec(line)) ?? []
    const heading = withoutEnd(written, ' \t#')
    const last = pieces.at(-1)
    if (marks !== '' && !INSIDE.test(heading)) {
      pieces.push({ heading, level: marks.length, from: at + 1, to: at + 1, hasBoxes: false })
    } else if (last) {
      last.to = at + 1
      last.hasBoxes ||= !isFenced[at] && BOXED.test(line)
    }
  }
  return pieces
}
