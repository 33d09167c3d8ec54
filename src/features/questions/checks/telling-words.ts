/** The words of a text in order, in lower case. */
export function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-._/:][\p{L}\p{N}]+)*/gu)
  // A text of signs only, such as a wildcard, is its own word.
  return words ?? text.split(/\s+/)
}

/** The words that say what a text is about, without their endings. */
export function tellingWords(words: readonly string[]): string[] {
  return words.filter((word) => !COMMON_WORDS.has(word)).map(stemOf)
}

/** Removes the endings of plurals and verbs, so that "stores logs" and "store a log" are the same words. */
function stemOf(word: string): string {
  if (word.length < 5) return word
  return word.replace(/ies$/, 'y').replace(/(?<=[^s])s$|ing$|ed$/, '')
}

/** Words of grammar, and those that occur in every question of an exam. */
const COMMON_WORDS = new Set(
  `a an and any are as at be been both but by can could does do each every for from had has have how if in into is it its
  may more most must need needs no not of on one only or other out over own same should so some such than that the their
  them then there these they this those to under up use used uses using wants want was were what when where which while who
  will with within without would you your
  amazon aws cloud company service services solution solutions meet meets requirement requirements choose select two three
  following best action actions architect developer engineer team application`.split(/\s+/),
)
