/** A text as the bank stores it: lines end with a line feed, no blank edges, nothing that PostgreSQL cannot store. */
export function normaliseText(text: string): string {
  const begun = withoutUnstorable(text)
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .replace(/^ {1,3}(?! )/, '')
  return withoutEnd(begun, ' \t\n')
}

/** The text without these signs at its end. Not a pattern: one takes quadratic time over a long run of them in the middle. */
export function withoutEnd(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** As `normaliseText`, for one line. */
export function normaliseLine(text: string): string {
  return withoutUnstorable(text).replace(/\s+/g, ' ').trim()
}

export function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** PostgreSQL refuses NUL and half a surrogate pair in jsonb. */
export function withoutUnstorable(text: string): string {
  const stored = text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
  // Few texts have surrogates at all, and looking for lone ones goes character by character.
  return /[\ud800-\udfff]/.test(stored) ? stored.replace(/\p{Surrogate}/gu, '\uFFFD') : stored
}
