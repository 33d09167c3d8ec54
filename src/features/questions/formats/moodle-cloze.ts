/* The gaps that a text of Moodle's type `multianswer` has, such as `{1:MULTICHOICE:wrong~=right#why}`. */

const GAP = /\{(\d*):([A-Z_]+):((?:\\[\s\S]|[^\\}])*)\}/g

const KINDS = {
  choice: /^(?:MULTICHOICE(?:_[HV]?S?)?|MC[HV]?S?)$/,
  number: /^(?:NUMERICAL|NM)$/,
  text: /^(?:SHORTANSWER(?:_C)?|SAC?|MWC?)$/,
} as const
type ClozeKind = keyof typeof KINDS | 'other'

/** An answer of a gap. Signs behind a backslash mean nothing. */
interface ClozeAnswer {
  readonly text: string
  readonly feedback: string
  readonly percent: number
}

interface ClozeGap {
  readonly kind: ClozeKind
  /** The name of its kind as it is written. */
  readonly name: string
  readonly answers: readonly ClozeAnswer[]
}

export function clozeGaps(text: string): ClozeGap[] {
  return [...text.matchAll(GAP)].map(([, , name = '', written = '']) => ({
    kind: kindOf(name),
    name,
    answers: splitUnescaped(written, '~').map(answerOf),
  }))
}

/** The text with each gap as `wordOf` gives it for its number, from 1. */
export function withClozeGaps(text: string, wordOf: (number: number) => string): string {
  let number = 0
  return text.replaceAll(GAP, () => wordOf(++number))
}

/** Whether the only gap is one of a kind. */
export function isLoneGap(text: string, kind: ClozeKind): boolean {
  const gaps = clozeGaps(text)
  return gaps.length === 1 && gaps[0]?.kind === kind
}

/** The kinds of the gaps with their numbers: `2 NUMERICAL, 1 MULTICHOICE`. */
export function describeGaps(text: string): string {
  const counts = new Map<string, number>()
  for (const { name } of clozeGaps(text)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ')
}

function kindOf(name: string): ClozeKind {
  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[]
  return kinds.find((kind) => KINDS[kind].test(name)) ?? 'other'
}

function answerOf(written: string): ClozeAnswer {
  const [answer = '', ...feedback] = splitUnescaped(written.trim(), '#')
  const mark = /^(?:=|%(-?\d+(?:\.\d+)?)%)/.exec(answer)
  const percent = mark === null ? 0 : mark[1] === undefined ? 100 : Number(mark[1])
  return { text: unescaped(answer.slice(mark?.[0].length ?? 0)), feedback: unescaped(feedback.join('#')), percent }
}

function splitUnescaped(text: string, sign: string): string[] {
  const parts = ['']
  for (const [piece] of text.matchAll(/\\[\s\S]|[\s\S]/g)) {
    if (piece === sign) parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([}~#"\\/])/g, '$1')
}
