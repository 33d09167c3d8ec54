/** The names of the lines `name: value` that only a matching has in our Markdown. */
export const MATCHING_FACTS = ['reuse'] as const

/** The letter of an option in brackets, with `>` before it for a prompt that has it, as the source of a regular expression. X is a choice's. */
export const MATCHING_MARK = '[-*+][ \\t]*\\[[ \\t]*>?[ \\t]*[A-Wa-w][ \\t]*\\](?![(\\[:])'
