/** The number of a gap in braces, with an x for the right choice, as the source of a regular expression. */
export const DROP_DOWN_MARK = '[-*+][ \\t]*\\{[ \\t]*\\d{1,2}[ \\t]*[xX]?(?:[ \\t]+#[^{}\\s]{1,100})?[ \\t]*\\}'

/** Its stem has places for gaps. */
export const DROP_DOWN_HAS_GAPS = true
