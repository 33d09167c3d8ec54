import type { ReasonCode } from './questions.schema.ts'

/** A sentence for each reason, with its facts: a letter, a name, a line. */
const reasonSentences = {
  'not-a-question': () => 'This is not a question.',
  'wrong-type': (about) => `The field "${about}" is not a text.`,
  'key-missing': () => 'The question has no key.',
  'key-malformed': (about) =>
    `"${about}" can't be a key: a key has letters, digits, ".", "_" and "-", begins with a letter or digit, and has at most 100 characters.`,
  'key-taken': (key, where = '', how = '') => {
    if (how === 'repeat') return `The same question with the same answers stands before: ${where}`
    if (how === 'other-key') return `The same question stands before, with other right answers: ${where}`
    return `Another question before this one has the key "${key}"${where === '' ? '.' : `: ${where}`}`
  },
  repeated: (where) => `The same question stands before: ${where}`,
  'question-empty': () => 'The question has no text.',
  'answer-empty': (about) =>
    about === 'only' ? 'The question has one answer; it needs at least two.' : `Answer ${about} has no text.`,
  'answers-too-many': (about) => `The question has ${about} answers; at most twelve are possible.`,
  'right-answer-missing': () => 'No answer is marked as right.',
  'right-answer-unknown': (about) => `"${about}" is said to be right and is none of the answers.`,
  'text-too-long': (about) => `The field "${about}" has more than 100,000 characters.`,
  'line-stray': (about) => `This line belongs to no part of the question: ${about}`,
  'answer-gap': (about) => `Answer ${about} was empty between others; those after it moved up by one.`,
  'answer-repeated': (about) => `Two answers say the same: ${about}`,
  'answer-id-replaced': (about) => `"${about}" can't be the id of this answer; it got a new one.`,
  'answer-not-indented': () => 'This line was read as part of the answer above; it should be indented by two spaces.',
  'all-answers-right': () => 'Every answer is marked as right.',
  'explanation-empty': () => 'The question has no explanation.',
  'explanation-twice': () => 'A second explanation began here; it was joined to the first.',
  'letters-unknown': (about) => `"${about}" does not name answers of this question; it was left out.`,
  'difficulty-unknown': (about) => `"${about}" is no difficulty: easy, medium or hard; it was left out.`,
  'review-unknown': (about) => `"${about}" is neither true nor false; the question was marked for review.`,
  'fact-unknown': (about) => `There is no fact named "${about}"; the line was left out.`,
  'fact-twice': (about) => `The fact "${about}" was given before; this line was left out.`,
  'fact-unused': (about) => `The fact "${about}" means nothing in a question of this type; it was left out.`,
  'mark-inside-text': (about) => `This line reads like a mark inside a text; put a backslash before it: ${about}`,
  'fence-holds-question': () =>
    'The fenced code that begins here holds what reads like a question; is its end missing?',
  'type-unsupported': (about) => `The bank does not hold questions of this type: ${about}`,
  'type-contradicts-key': (about) => `The type is "${about}", which does not fit the number of right answers.`,
  'syntax-broken': (about) => `This could not be read as the format has it: ${about}`,
  'quote-unclosed': () => 'A quote opens in this row and is not closed before the next row begins.',
  'cells-too-many': (about) => `The row has ${about} cells, more than there are columns; what is beyond was left out.`,
  'entity-unknown': (about) => `The text names an entity that the file does not explain: ${about}`,
  'picture-missing': (about) => `A text shows the picture "${about}", which is not among the files.`,
  'key-disputed': (about) => `The suggested answer and the one with the most votes differ: ${about}`,
  'key-uncertain': (about) => `Which answers are right is not quite clear: ${about}`,
  'order-unknown': (about) => `"${about}" is no order of answers: shuffled, last-stays or fixed; they are shuffled.`,
  'body-wrong': (about) => `The parts of the question can't be read: ${about}.`,
  'part-empty': (about) => `${about} has no text.`,
  'part-repeated': (about) => `Two parts of the question say the same: ${about}`,
  'parts-count': (about) => `The question needs ${about}.`,
  'part-without-answer': (about) => `${about} has no right answer.`,
  'part-answered-twice': (about) =>
    `"${about}" is the right answer twice, and the question says that each is used once.`,
  'part-unknown': (about) => `${about} names an answer that the question does not have.`,
  'gap-rights-many': (about) => `${about} has more than one right choice.`,
  'gap-unknown': (about) => `The text has a place [[${about}]], and the question has no gap ${about}.`,
  'gap-twice': (about) => `The place [[${about}]] stands in the text more than once.`,
  'gap-unplaced': (about) =>
    `Gap ${about} has no place in the text: write [[${about}]] where it stands, outside links and HTML.`,
  'area-outside': (about) => `The area "${about}" lies outside the image or has no size.`,
  'area-unclear': (about) =>
    `The area "${about}" has no shape that can be read: rect, circle or polygon, with its numbers.`,
  'image-missing': () => 'The question needs one picture, as Markdown: ![What it shows](address).',
  'image-size': (about) => `The picture needs a ${about} between 1 and 4,000 pixels.`,
  'number-wrong': (about) => `"${about}" is not a number.`,
  'tolerance-negative': (about) => `The tolerance can't be below zero: ${about}`,
  'verified-unknown': (about) => `"${about}" is no day such as 2026-11-24; it was left out.`,
  'guide-unknown': (about) => `"${about}" is too long for the version of an exam guide; it was left out.`,
  'case-study-unknown': (about) => `The exam has no case study "${about}"; the question was read by itself.`,
  'text-unstorable': (about) => `The field "${about}" held characters that no database stores; they were replaced.`,
} satisfies Record<ReasonCode, (...facts: string[]) => string>

/** The sentence of a reason. */
export function wordReason(code: ReasonCode, facts: readonly string[]): string {
  const word: (...given: string[]) => string = reasonSentences[code]
  return word(...facts)
}
