/** The place of a step in brackets, or a hyphen for one that stays out, as the source of a regular expression. */
export const ORDERING_MARK = '[-*+][ \\t]*\\[[ \\t]*(?:\\d{1,2}|-)[ \\t]*\\]'
