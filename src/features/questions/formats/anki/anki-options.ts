import { normaliseText } from '../../question-text.ts'

/** An option with the letter or number by which its note names it. */
export interface AnkiOption {
  readonly name: string
  readonly text: string
}

export function letterAt(place: number): string {
  return String.fromCharCode(65 + place)
}

/** `A. text`, `(a) text`, `1) text`, also in a list and with a mark that is escaped. */
const LISTED = /^\s*(?:[-*+]\s+)?\(?([A-La-l]|\d{1,2})\\?[.):]\)?\s+(.*)$/

/** The options at the end of a text, and the text before them. Null if there are fewer than two. */
export function listedOptions(text: string): { stem: string; options: AnkiOption[] } | null {
  const lines = text.split('\n')
  const first = lines.findIndex((line, at) => {
    const name = LISTED.exec(line)?.[1]?.toUpperCase()
    return at > 0 && (name === 'A' || name === '1')
  })
  if (first === -1) return null
  const options: { name: string; text: string }[] = []
  for (const line of lines.slice(first)) {
    const [, name, rest = ''] = LISTED.exec(line) ?? []
    const last = options.at(-1)
    const expected = options[0]?.name === '1' ? String(options.length + 1) : letterAt(options.length)
    if (name !== undefined && (last === undefined || name.toUpperCase() === expected))
      options.push({ name: name.toUpperCase(), text: rest.trim() })
    else if (last !== undefined) last.text += `\n${line}`
  }
  const stem = lines.slice(0, first).join('\n').trim()
  if (options.length < 2 || stem === '') return null
  return { stem, options: options.map(({ name, text: written }) => ({ name, text: written.trim() })) }
}

const KEY_LINE =
  /^(?:\**(?:the )?(?:correct |right )?(?:answers?|options?|key|solution)\**\s*(?:is|are)?\s*[:=-]?\s*)?\**\(?((?:[A-L]|\d{1,2})(?:(?:\s*[,;&/+]\s*|\s+and\s+|\s+)(?:[A-L]|\d{1,2}))*)\)?\**\s*(?:\\?[.):]\)?(?:\s+(.*))?)?$/i

type Key = { readonly places: number[]; readonly rest: string }

/** The options that the back of a card names, and what else it says. Null if it names none. */
export function keyOfText(text: string, options: readonly AnkiOption[]): Key | null {
  const written = text.trim()
  if (/^[01](?:[\s,]+[01])+$/.test(written)) {
    const marks = written.split(/[\s,]+/)
    const places = marks.flatMap((mark, place) => (mark === '1' ? [place] : []))
    if (marks.length === options.length && places.length > 0) return { places, rest: '' }
  }
  const same = options.findIndex((option) => isSame(option.text, written))
  if (same !== -1) return { places: [same], rest: '' }
  return keyOfLines(written.split('\n'), options)
}

/** Lines that each begin with a letter, the first of which may have several. */
function keyOfLines(lines: readonly string[], options: readonly AnkiOption[]): Key | null {
  const places: number[] = []
  let at = 0
  let rest = ''
  for (; at < lines.length; at += 1) {
    const line = (lines[at] ?? '').trim()
    if (line === '' && at > 0) continue
    if (line.length > LONGEST_KEY) break
    const [, names, beside = ''] = KEY_LINE.exec(line) ?? []
    const named = (names ?? '')
      .toUpperCase()
      .split(/[^A-L\d]+|AND/)
      .flatMap((name) => placeOf(name, options))
    if (named.length === 0) break
    const isOption = named.length === 1 && isSame(options[named[0] ?? 0]?.text ?? '', beside)
    if (places.length > 0 && !isOption) break
    places.push(...named)
    if (!isOption && beside !== '') {
      rest = beside
      at += 1
      break
    }
  }
  if (places.length === 0) return null
  return { places: [...new Set(places)], rest: [rest, lines.slice(at).join('\n').trim()].filter(Boolean).join('\n\n') }
}

/** A longer line is no key, and would cost time. */
const LONGEST_KEY = 2000

function placeOf(name: string, options: readonly AnkiOption[]): number[] {
  const place = options.findIndex((option) => option.name === name)
  const byOrder = /^\d+$/.test(name) ? Number(name) - 1 : name.charCodeAt(0) - 65
  if (name === '') return []
  if (place !== -1) return [place]
  return byOrder >= 0 && byOrder < options.length ? [byOrder] : []
}

function isSame(one: string, other: string): boolean {
  return normaliseText(one) === normaliseText(other)
}
