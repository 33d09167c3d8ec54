import { normaliseLine, normaliseText } from '../questions.ts'

/** What begins the part of an explanation that goes answer by answer. */
const EACH_OPTION = '#### Answer by answer'

export interface Explanations {
  overall: string
  /** By the place of the answer; empty where there is none. */
  each: string[]
}

/** Formats that explain each answer by itself: one readable text, from which `splitExplanation` gives the parts again. */
export function joinExplanations({ overall, each }: Explanations, options: string[]): string {
  const items = each.flatMap((text, place) => {
    const said = normaliseText(text)
    if (said.trim() === '') return []
    const [first = '', ...others] = said.split('\n')
    const indented = others.map((line) => (line === '' ? '' : `  ${line}`))
    return [[`- ${labelOf(options[place] ?? '')} ${first}`, ...indented].join('\n')]
  })
  const whole = normaliseText(overall)
  if (items.length === 0) return whole
  return [...(whole === '' ? [] : [whole]), EACH_OPTION, items.join('\n')].join('\n\n')
}

/** Everything is overall where the text is not exactly what joining its parts would give. */
export function splitExplanation(text: string, options: string[]): Explanations {
  const none = { overall: text, each: options.map(() => '') }
  const at = text.startsWith(`${EACH_OPTION}\n\n`) ? 0 : text.lastIndexOf(`\n\n${EACH_OPTION}\n\n`) + 2
  if (at === 1) return none
  const each = options.map(() => '')
  let place = -1
  for (const line of text.slice(at + EACH_OPTION.length + 2).split('\n')) {
    if (line.startsWith('- ')) {
      const next = options.findIndex((option, other) => other > place && line.startsWith(`- ${labelOf(option)} `))
      if (next === -1) return none
      place = next
      each[place] = line.slice(`- ${labelOf(options[place] ?? '')} `.length)
    } else if (place === -1) return none
    else each[place] += `\n${line.replace(/^ {2}/, '')}`
  }
  const split = { overall: at === 0 ? '' : text.slice(0, at - 2), each }
  return joinExplanations(split, options) === text ? split : none
}

function labelOf(option: string): string {
  const line = normaliseLine(option)
  return `**${line.length > 200 ? `${line.slice(0, 199)}…` : line}**:`
}
