/** An equals sign in brackets, as the source of a regular expression. */
export const NUMERICAL_MARK = '[-*+][ \\t]*\\[[ \\t]*=[ \\t]*\\]'

/** The names of the lines `name: value` that only a number has in our Markdown. */
export const NUMERICAL_FACTS = ['tolerance', 'unit'] as const
