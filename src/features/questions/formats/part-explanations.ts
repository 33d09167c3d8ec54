import { normaliseLine, normaliseText } from '../question-text.ts'

/** The heading of the explanations of single parts. */
const EACH_PART = '#### Answer by answer'

interface Explanations {
  overall: string
  /** By the place of the part; empty where a part has none. */
  each: string[]
}

/**
 * One readable text from the explanations of a format that explains each option, or other part, by itself. `splitExplanation`
 * takes it apart again. @param parts the texts of the explained parts
 */
export function joinExplanations({ overall, each }: Explanations, parts: string[]): string {
  const items = each.flatMap((text, place) => {
    const said = normaliseText(text)
    if (said.trim() === '') return []
    const [first = '', ...others] = said.split('\n')
    const indented = others.map((line) => (line === '' ? '' : `  ${line}`))
    return [[`- ${labelOf(parts[place] ?? '')} ${first}`, ...indented].join('\n')]
  })
  const whole = normaliseText(overall)
  if (items.length === 0) return whole
  return [...(whole === '' ? [] : [whole]), EACH_PART, items.join('\n')].join('\n\n')
}

/** Everything is overall if the text is not exactly what `joinExplanations` would return. */
export function splitExplanation(text: string, parts: string[]): Explanations {
  const none = { overall: text, each: parts.map(() => '') }
  const at = text.startsWith(`${EACH_PART}\n\n`) ? 0 : text.lastIndexOf(`\n\n${EACH_PART}\n\n`) + 2
  if (at === 1) return none
  const each = parts.map(() => '')
  let place = -1
  for (const line of text.slice(at + EACH_PART.length + 2).split('\n')) {
    if (line.startsWith('- ')) {
      const next = parts.findIndex((part, other) => other > place && line.startsWith(`- ${labelOf(part)} `))
      if (next === -1) return none
      place = next
      each[place] = line.slice(`- ${labelOf(parts[place] ?? '')} `.length)
    } else if (place === -1) return none
    else each[place] += `\n${line.replace(/^ {2}/, '')}`
  }
  const split = { overall: at === 0 ? '' : text.slice(0, at - 2), each }
  return joinExplanations(split, parts) === text ? split : none
}

function labelOf(part: string): string {
  const line = normaliseLine(part)
  return `**${line.length > 200 ? `${line.slice(0, 199)}…` : line}**:`
}
