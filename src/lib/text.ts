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

const plurals = new Intl.PluralRules('en-US')

/** The form of a text that agrees with a count: `pluralOf(1, 'is', 'are')` is 'is'. */
export function pluralOf<Form>(count: number, one: Form, many: Form): Form {
  return plurals.select(count) === 'one' ? one : many
}

/** A count with its noun: '1 question', '1,200 questions'. */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${pluralOf(count, noun, nouns)}`
}

const SIZES = ['kB', 'MB', 'GB', 'TB'] as const

/** The size of a file: '812 bytes', '1.2 MB', '340 MB'. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte')
  const power = Math.min(SIZES.length, Math.floor(Math.log10(bytes) / 3))
  const size = bytes / 1000 ** power
  return `${size < 10 ? Math.floor(size * 10) / 10 : Math.floor(size)} ${SIZES[power - 1]}`
}
