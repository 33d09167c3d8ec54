import { LETTERS } from '../choice-letters.ts'
import { MAX_OPTIONS, type OptionOrder } from '../choice.schema.ts'

export interface ParsedOption {
  text: string
  isRight: boolean
}

/** What a file says about the options of a choice, before it is judged. */
export interface ParsedChoice {
  readonly type: 'choice'
  readonly options: readonly ParsedOption[]
  /** Right answers of the file that are none of the options. */
  readonly unknownRight?: string
  /** How learners see the options, where the file says so. */
  readonly order?: OptionOrder
  /** Further fields of a stored choice. */
  readonly hints?: { readonly suggested_answer: string; readonly most_voted_answer: string }
}

export const NO_CHOICE: ParsedChoice = { type: 'choice', options: [] }

/** The fields of a choice for `judgeQuestion`, which names no type: it is the default. */
export function inputOfChoice({ options, unknownRight = '', order, hints }: ParsedChoice): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  let right = ''
  for (const [place, { text, isRight }] of options.entries()) {
    const letter = letterOfPart(place)
    input[`answer_${letter}`] = text
    if (isRight) right += letter.toUpperCase()
  }
  const all = [...new Set(right)].join('')
  return {
    ...input,
    final_answer: unknownRight === '' ? all : [...all, unknownRight].join(', '),
    ...(order !== undefined && { order }),
    ...hints,
  }
}

/** Options beyond the last letter get a letter or number too, so that too many of them are counted and not lost. */
function letterOfPart(place: number): string {
  return LETTERS[place] ?? (place < 26 ? String.fromCharCode(97 + place) : String(place + 1))
}

export function keyTextsOfChoice({ options }: ParsedChoice): string[] {
  return options.slice(0, MAX_OPTIONS).map(({ text }) => text)
}

export function withChoiceTexts(body: ParsedChoice, change: (text: string) => string): ParsedChoice {
  return { ...body, options: body.options.map((option) => ({ ...option, text: change(option.text) })) }
}

/** Options under names, such as letters or identifiers, of which some are right. Names without an option are unknown. */
export function choiceOfNames(
  options: readonly { readonly name: string; readonly text: string }[],
  rightNames: Iterable<string>,
): ParsedChoice {
  const right = new Set(rightNames)
  const parsed = options.map(({ name, text }) => ({ text, isRight: right.delete(name) }))
  return { type: 'choice', options: parsed, unknownRight: [...right].join(', ') }
}

export function rightCount({ options }: ParsedChoice): number {
  return options.filter(({ isRight }) => isRight).length
}

/** A statement that is true or false: some formats have a kind of question for it. */
export function isTruth(options: readonly { readonly text: string; readonly isRight: boolean }[]): boolean {
  const [yes, no, ...others] = options
  return others.length === 0 && yes?.text === 'True' && no?.text === 'False' && yes.isRight !== no.isRight
}
