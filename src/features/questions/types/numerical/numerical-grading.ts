import { POINTS, type TypeGrading } from '../type-grading.ts'
import { postedText } from '../written/written-answer.ts'
import { isWithin, printDecimal, readDecimal, readQuantity } from './decimal-numbers.ts'
import type { NumericalQuestion } from './numerical.schema.ts'

type Key = Pick<NumericalQuestion, 'value' | 'tolerance' | 'unit'>

/** A number is right or wrong as a whole (docs/scoring.md). */
export const numericalGrading: TypeGrading<'numerical'> = {
  points: (question, { text }) => (isRightNumber(question, text) ? POINTS : 0),
  isRight: (question, { text }) => isRightNumber(question, text),
  isComplete: () => true,
  blindChance: () => 0,
  shapeOf: () => ({ type: 'numerical' }),
  arranged: (question) => question,
  answerProblem: (_shape, _answer, struck) => (struck.length > 0 ? 'unknown-part' : null),

  answerFromFields(_question, fields) {
    const text = postedText(fields)
    return text === null ? null : { type: 'numerical', text }
  },

  answerKey: ({ value, tolerance }) => ({ type: 'numerical', text: value, tolerance }),
  keyProblem: ({ unit }, { text }) => (keyValue(text, unit) === null ? 'unknown-part' : null),
  /** Another key is another value or tolerance: the unit stays. */
  withAnswerKey: (question, { text, tolerance = question.tolerance }) => ({
    ...question,
    value: keyValue(text, question.unit) ?? question.value,
    tolerance: keyValue(tolerance, '') ?? '0',
  }),

  forTaking: ({ id, stem, domain, unit }) => ({ type: 'numerical', id, stem, domain, unit }),

  forReview: (question) => ({
    ...numericalGrading.forTaking(question),
    value: question.value,
    tolerance: question.tolerance,
    explanation: question.explanation,
    url: question.url,
    difficulty: question.difficulty,
  }),
}

export function isRightNumber({ value, tolerance, unit }: Key, text: string): boolean {
  const given = readQuantity(text, unit)
  const [right, most] = [readDecimal(value), readDecimal(tolerance)]
  return given !== null && right !== null && most !== null && isWithin(given, right, most)
}

function keyValue(text: string, unit: string): string | null {
  const number = readQuantity(text, unit)
  return number && printDecimal(number)
}

/** The answer key in one line, such as '42 ± 0.5 GiB'. */
export function keyLine({ value, tolerance, unit }: Key): string {
  const most = readDecimal(tolerance)
  const range = most === null || most.units === 0n ? '' : ` ± ${tolerance}`
  return `${value}${range}${unit === '' ? '' : ` ${unit}`}`
}
