/** A tilde in brackets, as the source of a regular expression. */
export const SHORT_ANSWER_MARK = '[-*+][ \\t]*\\[[ \\t]*~[ \\t]*\\]'

/** The name of the line `name: value` that only a short answer has in our Markdown. */
export const SHORT_ANSWER_FACTS = ['case'] as const
