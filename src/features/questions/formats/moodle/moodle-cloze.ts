import { Parser } from 'htmlparser2'

/*
 * The gaps that a text of Moodle's type `cloze` has, such as `{1:MULTICHOICE:wrong~=right#why}`, as Moodle reads them: a sign behind a
 * backslash means nothing, feedback begins at the first `#` of an answer, and a `~` may stand before the first answer too.
 */

const GAP_START = /\{(\d*):([A-Z_]+):/g

const KINDS = {
  /** A list in the line: Moodle lays horizontal options out in the line too. */
  list: /^(?:MULTICHOICE(?:_H?S?)?|MCH?S?)$/,
  /** Options below each other, one of which is right. */
  options: /^(?:MULTICHOICE_VS?|MCVS?)$/,
  /** Options of which several may be right. */
  several: /^(?:MULTIRESPONSE(?:_H?S?)?|MRH?S?)$/,
  number: /^(?:NUMERICAL|NM)$/,
  text: /^(?:SHORTANSWER(?:_C)?|SAC?|MWC?)$/,
} as const
type ClozeKind = keyof typeof KINDS | 'other'

/** An answer of a gap. */
interface ClozeAnswer {
  /** As HTML in lists and options, else as plain text. */
  readonly text: string
  /** As HTML. */
  readonly feedback: string
  readonly percent: number
}

export interface ClozeGap {
  readonly kind: ClozeKind
  /** The name of its kind as it is written. */
  readonly name: string
  /** Whether its options change their order. */
  readonly isShuffled: boolean
  /** How often it counts. */
  readonly weight: number
  readonly answers: readonly ClozeAnswer[]
  /** The gap as it is written. */
  readonly source: string
}

export function clozeGaps(text: string): ClozeGap[] {
  return piecesOf(text).flatMap((piece) => (typeof piece === 'string' ? [] : [piece]))
}

/** The text with each gap as `wordOf` gives it for its number, from 1. @param wordOf also gets the text behind the gap */
export function withClozeGaps(text: string, wordOf: (number: number, behind: string) => string): string {
  const pieces = piecesOf(text)
  let number = 0
  return pieces
    .map((piece, at) => {
      if (typeof piece === 'string') return piece
      const behind = pieces[at + 1]
      return wordOf(++number, typeof behind === 'string' ? behind : '')
    })
    .join('')
}

/** The only gap of a text; undefined if it has none or several. */
export function loneGap(text: string): ClozeGap | undefined {
  const [gap, ...others] = clozeGaps(text)
  return others.length === 0 ? gap : undefined
}

/** The gaps of a text, and what stands between them. */
function piecesOf(text: string): (string | ClozeGap)[] {
  const pieces: (string | ClozeGap)[] = []
  const start = new RegExp(GAP_START)
  let from = 0
  for (let found = start.exec(text); found; found = start.exec(text)) {
    const end = endOf(text, start.lastIndex)
    // No gap behind this one has an end either.
    if (end === -1) break
    const written = text.slice(start.lastIndex, end)
    if (written === '') continue
    pieces.push(text.slice(from, found.index), gapOf(found, written))
    from = end + 1
    start.lastIndex = from
  }
  return [...pieces, text.slice(from)]
}

function endOf(text: string, from: number): number {
  let end = text.indexOf('}', from)
  while (end > 0 && text.charAt(end - 1) === '\\') end = text.indexOf('}', end + 1)
  return end
}

function gapOf([start, weight = '', name = '']: RegExpExecArray, written: string): ClozeGap {
  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[]
  const kind = kinds.find((one) => KINDS[one].test(name)) ?? 'other'
  const [first = '', ...others] = splitUnescaped(written, '~')
  const parts = first.trim() === '' && others.length > 0 ? others : [first, ...others]
  return {
    kind,
    name,
    isShuffled: name.endsWith('S'),
    weight: weight === '' ? 1 : Number(weight),
    answers: parts.map((part) => answerOf(part, kind)),
    source: `${start}${written}}`,
  }
}

function answerOf(written: string, kind: ClozeKind): ClozeAnswer {
  const [answer = '', ...feedback] = splitUnescaped(written.trim(), '#')
  const mark = /^(?:=|%(-?\d+(?:[.,]\d*)?)%)/.exec(answer)
  const percent = mark === null ? 0 : mark[1] === undefined ? 100 : Number(mark[1].replace(',', '.'))
  const text = answer.slice(mark?.[0].length ?? 0)
  return {
    text: kind === 'number' || kind === 'text' ? plainText(text) : htmlText(text),
    feedback: htmlText(feedback.join('#')),
    percent,
  }
}

/** Moodle looks at one sign before: two backslashes are an escape as well. */
function splitUnescaped(text: string, sign: string): string[] {
  return text.split(sign === '~' ? /(?<!\\)~/ : /(?<!\\)#/)
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([}~#])/g, '$1')
}

/** What somebody has to write, without the entities that an HTML editor made. */
function plainText(text: string): string {
  const parts: string[] = []
  const parser = new Parser({ ontext: (part) => parts.push(part) })
  parser.write(text.replaceAll('<', '&lt;'))
  parser.end()
  return unescaped(parts.join(''))
}

/** Moodle resolves entities once before it reads HTML. Only those of an ampersand are: `&lt;` is meant to be seen. */
function htmlText(text: string): string {
  return unescaped(text.replaceAll(/&amp;(?=#?\w+;|\\#)/g, '&'))
}
