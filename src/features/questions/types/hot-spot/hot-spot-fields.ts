/** An image with its size, or an area with its shape and numbers, in parentheses, as the source of a regular expression. */
export const HOT_SPOT_MARK = '[-*+][ \\t]*\\([ \\t]*(?:image|(?:[xX][ \\t]+)?(?:rect|circle|polygon))\\b[^()]*\\)'
