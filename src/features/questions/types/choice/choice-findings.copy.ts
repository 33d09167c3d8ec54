import { counted } from '../../../../lib/text.ts'
import { error, forReview, refused, warning } from '../type-findings.ts'

export const CHOICE_REASONS = {
  'answer-empty': refused((about) =>
    about === 'only' ? 'The question has one answer; it needs at least two.' : `Answer ${about} has no text.`,
  ),
  'answers-too-many': refused((about) => `The question has ${about} answers; at most twelve are possible.`),
  'answer-gap': forReview((about) => `Answer ${about} was empty between others; those after it moved up by one.`),
  'answer-repeated': forReview((about) => `Two answers say the same: ${about}`),
  'all-answers-right': forReview(() => 'Every answer is marked as right.'),
  'letters-unknown': forReview((about) => `"${about}" does not name answers of this question; it was left out.`),
  'type-contradicts-key': forReview(
    (about) => `The type is "${about}", which does not fit the number of right answers.`,
  ),
  'key-disputed': forReview((about) => `The suggested answer and the one with the most votes differ: ${about}`),
  'order-unknown': forReview(
    (about) => `"${about}" is no order of answers: shuffled, last-stays or fixed; they are shuffled.`,
  ),
} as const

export const CHOICE_REMARKS = {
  'choose-mismatch': error(
    '"Choose N" does not fit the answer key',
    (said: number, right: number) =>
      `The question says to choose ${said}, and ${counted(right, 'answer is', 'answers are')} right.`,
  ),
  'choose-missing': error(
    'Does not say how many to choose',
    (right: number) =>
      `${counted(right, 'answer is', 'answers are')} right, and the question does not say how many to choose.`,
  ),
  'answer-names-place': error(
    'Answer refers to places',
    (words: string) => `An answer refers to the place of others ("${words}"), and places change.`,
  ),
  'longest-is-right': warning(
    'Longest answer is right too often',
    (longest: number, of: number) =>
      `In ${longest} of ${of} questions with one right answer, the right one is the longest.`,
  ),
  'positions-uneven': warning(
    'Right answers at uneven places',
    (spread: string) => `The right answers are spread unevenly over the places A to D: ${spread}.`,
  ),
  'multiple-share': warning(
    'Share of multiple-answer questions',
    (multiple: number, of: number) =>
      `${multiple} of ${of} questions have several right answers; it should be 10 to 20%.`,
  ),
} as const
