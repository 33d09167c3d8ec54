/** The columns of a table that only a choice has. Their names are those of the specification's fields. */
export const CHOICE_COLUMNS = [
  'answer_a',
  'answer_b',
  'answer_c',
  'answer_d',
  'answer_e',
  'answer_f',
  'answer_g',
  'answer_h',
  'answer_i',
  'answer_j',
  'answer_k',
  'answer_l',
  'final_answer',
] as const
type ChoiceColumn = (typeof CHOICE_COLUMNS)[number]

/** The usual names of these columns in other people's tables. */
export const CHOICE_HEADERS: Readonly<Record<ChoiceColumn, RegExp>> = {
  answer_a: optionHeader('a', 1),
  answer_b: optionHeader('b', 2),
  answer_c: optionHeader('c', 3),
  answer_d: optionHeader('d', 4),
  answer_e: optionHeader('e', 5),
  answer_f: optionHeader('f', 6),
  answer_g: optionHeader('g', 7),
  answer_h: optionHeader('h', 8),
  answer_i: optionHeader('i', 9),
  answer_j: optionHeader('j', 10),
  answer_k: optionHeader('k', 11),
  answer_l: optionHeader('l', 12),
  final_answer: /^(?:(?:correct|right|final)(?: (?:answers?|options?|choices?))?|answers?|answer key|solution)$/,
}

/** The columns without which a table has no choices, with the names that a finding gives them. */
export const CHOICE_NEEDED_COLUMNS: readonly (readonly [ChoiceColumn, string])[] = [
  ['answer_a', 'the first answer'],
  ['answer_b', 'the second answer'],
  ['final_answer', 'the right answers'],
]

/** The names of the lines `name: value` that only a choice has in our Markdown. */
export const CHOICE_FACTS = ['suggested_answer', 'most_voted_answer', 'order'] as const

/** A checkbox, also one with a slip, as the source of a regular expression. */
export const CHOICE_MARK = '[-*+][ \\t]*\\[[ \\t]*[xX]?[ \\t]*\\]'

function optionHeader(letter: string, number: number): RegExp {
  return new RegExp(`^(?:(?:answer|option|choice|response)(?: option| choice)? ?)?(?:${letter}|0?${number})$`)
}
