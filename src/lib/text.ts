/** How many characters people see: an emoji outside the first plane is one, not two. */
export function lengthOf(text: string): number {
  return [...text].length
}

/** Whether there is nothing to see: white space of any kind, and characters without a shape. */
export function isBlank(text: string): boolean {
  return /^[\p{Z}\p{Cc}\p{Cf}]*$/u.test(text)
}

/** A text for a pattern of LIKE, in which it means itself to the letter. */
export function likeText(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}
