/** The number of code points; unlike `length`, it counts an emoji once. */
export function lengthOf(text: string): number {
  return [...text].length
}

/** Whether a text has nothing visible, only white space and invisible characters. */
export function isBlank(text: string): boolean {
  return /^[\p{Z}\p{Cc}\p{Cf}]*$/u.test(text)
}

/** Escapes a text for a LIKE pattern, so that it matches literally. */
export function likeText(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}
