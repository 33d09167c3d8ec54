import { readParts } from '../types/format-registry.ts'
import { type ParsedQuestion, found, questionStep, type Reading } from './parsed-question.ts'
import { htmlInText } from './markup/html-to-markdown.ts'
import { mapTexts } from './bank-images.ts'
import type { ReadStep } from './formats.schema.ts'

const OPTION = /^[ \t]*([A-Za-z])[.)][ \t]+(.*)$/
const KEY = /^[ \t]*ANSWER[ \t]*:(.*)$/i
const EXPLANATION = /^[ \t]*(?:EXPLANATION|FEEDBACK|REASON)[ \t]*:(.*)$/i

/** Reads Aiken: a text, lettered options, and `ANSWER: B`. Several letters and an explanation below are read too. */
export function* readAiken(file: string, text: string, reading: Reading): Generator<ReadStep> {
  let piece: Piece | null = null
  for (const [at, line] of text.split('\n').entries()) {
    // What follows the key begins the next question, unless it is an explanation.
    if (piece && isOver(piece, line)) {
      yield questionStep(foundIn(piece, file), reading)
      piece = null
    }
    if (line.trim() === '') {
      if (piece) piece.isAfterBlank = true
      continue
    }
    piece ??= { line: at + 1, stem: [], parts: [], key: null, explanation: [], isAfterBlank: false }
    takeLine(piece, line)
    piece.isAfterBlank = false
  }
  if (piece) yield questionStep(foundIn(piece, file), reading)
}

interface Piece {
  line: number
  stem: string[]
  parts: { letter: string; lines: string[] }[]
  key: string | null
  explanation: string[]
  isAfterBlank: boolean
}

function isOver(piece: Piece, line: string): boolean {
  if (line.trim() === '') return false
  if (piece.key !== null) return !EXPLANATION.test(line) && (piece.isAfterBlank || piece.explanation.length === 0)
  return piece.isAfterBlank && piece.parts.length > 0 && !OPTION.test(line) && !KEY.test(line)
}

function takeLine(piece: Piece, line: string): void {
  const key = KEY.exec(line)
  const explanation = EXPLANATION.exec(line)
  const option = piece.key === null && piece.stem.length > 0 ? OPTION.exec(line) : null
  if (key && piece.parts.length > 0) piece.key = key[1] ?? ''
  else if (explanation && piece.parts.length > 0) piece.explanation.push((explanation[1] ?? '').trim())
  else if (piece.key !== null) piece.explanation.push(line)
  else if (option) piece.parts.push({ letter: (option[1] ?? '').toUpperCase(), lines: [option[2] ?? ''] })
  else (piece.parts.at(-1)?.lines ?? piece.stem).push(line.trim())
}

function foundIn(piece: Piece, name: string): ParsedQuestion {
  const read = found(name, piece.line)
  read.stem = piece.stem.join('\n')
  const parts = piece.parts.map(({ letter, lines }) => ({ letter, text: lines.join('\n') }))
  read.body = readParts('aiken', { parts, key: piece.key }, read).body
  read.explanation = piece.explanation.join('\n')
  mapTexts(read, (text) => htmlInText(text, read.lost))
  return read
}
