import { normaliseLine } from '../../../question-text.ts'
import { reason } from '../../../questions.ts'
import type { BodyNotes } from '../../type-formats.ts'
import { MAX_OPTIONS } from '../choice.schema.ts'
import type { ParsedChoice, ParsedOption } from './choice-parsed.ts'

/** Right answers as people write them: letters (`B, E` or `BE`), numbers from 1, or the texts of the options. */
export function readWrittenKey(options: readonly ParsedOption[], written: string, notes: BodyNotes): ParsedChoice {
  const line = normaliseLine(written)
  if (line === '') return { type: 'choice', options }
  const texts = options.map(({ text }) => normaliseLine(text).toLowerCase())
  const isFilled = (place: number) => (texts[place] ?? '') !== ''
  const byText = placesOfTexts(written, texts)
  const byName = placesOfNames(line)
  if (byName?.every(isFilled) === true) {
    const isOtherText = byText !== null && byText.some((place) => !byName.includes(place))
    if (isOtherText) notes.reasons.push(reason('key-uncertain', 'final_answer', line, notes.line))
    return withRight(options, byName)
  }
  if (byText) return withRight(options, byText)
  return { ...withRight(options, byName?.filter(isFilled) ?? []), unknownRight: line }
}

function withRight(options: readonly ParsedOption[], places: readonly number[]): ParsedChoice {
  const marked = options.map(({ text, isRight }, place) => ({ text, isRight: isRight || places.includes(place) }))
  return { type: 'choice', options: marked }
}

function placesOfNames(line: string): number[] | null {
  const names = line.split(/(?:[\s,;|/&+]|\band\b)+/i).filter((name) => name !== '')
  const isLetters = names.every((name) => /^(?:[A-Za-z]|[A-L]{2,12})[.)]?$/.test(name))
  if (isLetters) return names.flatMap((name) => [...name.replace(/[.)]$/, '').toLowerCase()]).map(placeOfLetter)
  const isNumbers = names.every((name) => /^\d{1,3}(?:\.0)?[.)]?$/.test(name))
  return isNumbers ? names.map((name) => Number.parseInt(name, 10) - 1) : null
}

function placeOfLetter(letter: string): number {
  return letter.charCodeAt(0) - 97
}

function placesOfTexts(written: string, texts: readonly string[]): number[] | null {
  const placesOf = (parts: readonly string[]) =>
    parts.map((part) => texts.indexOf(normaliseLine(part).toLowerCase())).filter((place) => place !== -1)
  const whole = placesOf([written])
  if (whole.length === 1) return whole
  const parts = written.split(/[;|\n]+/).filter((part) => part.trim() !== '')
  const places = placesOf(parts)
  return parts.length > 1 && parts.length <= MAX_OPTIONS && places.length === parts.length ? places : null
}
