import { REASONS } from './types/registered/registered-reasons.ts'
import { forReview, type ReasonKind, refused } from './types/type-findings.ts'

/** Why a question is refused or needs review. The codes are stored with imports, so that none is renamed. */
export const reasonKinds = {
  'not-a-question': refused(() => 'This is not a question.'),
  'wrong-type': refused((about) => `The field "${about}" is not a text.`),
  'key-missing': refused(() => 'The question has no key.'),
  'key-malformed': refused(
    (about) =>
      `"${about}" can't be a key: a key has letters, digits, ".", "_" and "-", begins with a letter or digit, and has at most 100 characters.`,
  ),
  'key-taken': refused((key, where = '', how = '') => {
    if (how === 'repeat') return `The same question with the same answers stands before: ${where}`
    if (how === 'other-key') return `The same question stands before, with other right answers: ${where}`
    return `Another question before this one has the key "${key}"${where === '' ? '.' : `: ${where}`}`
  }),
  repeated: forReview((where) => `The same question stands before: ${where}`),
  'question-empty': refused(() => 'The question has no text.'),
  'right-answer-missing': refused(() => 'No answer is marked as right.'),
  'right-answer-unknown': refused((about) => `"${about}" is said to be right and is none of the answers.`),
  'text-too-long': refused((about) => `The field "${about}" has more than 100,000 characters.`),
  'line-stray': refused((about) => `This line belongs to no part of the question: ${about}`),
  'answer-id-replaced': forReview((about) => `"${about}" can't be the id of this answer; it got a new one.`),
  'answer-not-indented': forReview(
    () => 'This line was read as part of the answer above; it should be indented by two spaces.',
  ),
  'explanation-empty': forReview(() => 'The question has no explanation.'),
  'explanation-twice': forReview(() => 'A second explanation began here; it was joined to the first.'),
  'difficulty-unknown': forReview((about) => `"${about}" is no difficulty: easy, medium or hard; it was left out.`),
  'review-unknown': forReview((about) => `"${about}" is neither true nor false; the question was marked for review.`),
  'fact-unknown': forReview((about) => `There is no fact named "${about}"; the line was left out.`),
  'fact-twice': forReview((about) => `The fact "${about}" was given before; this line was left out.`),
  'fact-unused': forReview((about) => `The fact "${about}" means nothing in a question of this type; it was left out.`),
  'mark-inside-text': forReview(
    (about) => `This line reads like a mark inside a text; put a backslash before it: ${about}`,
  ),
  'fence-holds-question': forReview(
    () => 'The fenced code that begins here holds what reads like a question; is its end missing?',
  ),
  'text-unstorable': forReview(
    (about) => `The field "${about}" held characters that no database stores; they were replaced.`,
  ),
  'type-unsupported': refused((about) => `The bank does not hold questions of this type: ${about}`),
  'syntax-broken': refused((about) => `This could not be read as the format has it: ${about}`),
  'quote-unclosed': refused(() => 'A quote opens in this row and is not closed before the next row begins.'),
  'cells-too-many': forReview(
    (about) => `The row has ${about} cells, more than there are columns; what is beyond was left out.`,
  ),
  'entity-unknown': forReview((about) => `The text names an entity that the file does not explain: ${about}`),
  'picture-missing': forReview((about) => `A text shows the picture "${about}", which is not among the files.`),
  'formula-missing': forReview(() => 'A text shows a formula, which was left out; write it as text or as code.'),
  'key-uncertain': forReview((about) => `Which answers are right is not quite clear: ${about}`),
  'body-wrong': refused((about) => `The parts of the question can't be read: ${about}.`),
  'part-empty': refused((about) => `${about} has no text.`),
  'part-repeated': refused((about) => `Two parts of the question say the same: ${about}`),
  'parts-count': refused((about) => `The question needs ${about}.`),
  'part-without-answer': refused((about) => `${about} has no right answer.`),
  'gap-of-cloze': refused((about) => `The fault is in gap ${about} of the text.`),
  'case-study-unknown': forReview((about) => `The exam has no case study "${about}"; the question was read by itself.`),
  'verified-unknown': forReview((about) => `"${about}" is no day such as 2026-11-24; it was left out.`),
  'guide-unknown': forReview((about) => `"${about}" is too long for the version of an exam guide; it was left out.`),
  // What only questions of one type can have is in the folder of the type.
  ...REASONS,
} as const
export type ReasonCode = keyof typeof reasonKinds

/** The sentence of a reason. */
export function wordReason(code: ReasonCode, facts: readonly string[]): string {
  const { sentence }: ReasonKind = reasonKinds[code]
  return sentence(...facts)
}
