import { remark } from '../../checks/bank-checks.copy.ts'
import type { TypeChecks } from '../type-checks.ts'
import { isWithin, printDecimal, readDecimal, shortened } from './decimal-numbers.ts'
import { keyLine } from './numerical-grading.ts'
import type { NumericalQuestion } from './numerical.schema.ts'

const ZERO = { units: 0n, places: 0 }

export const numericalChecks: TypeChecks<'numerical'> = {
  comparedParts: (question) => [{ text: 'number', keyValue: keyLine(withoutZeros(question)), isRight: true }],
  wordingRemarks: (question) => (takesZero(question) ? [remark('tolerance-wide', keyLine(question))] : []),
  balanceRemarks: () => [],
  cueOptions: () => null,
  kinds: { numerical: 'with a number to write' },
  kindOf: () => 'numerical',
}

/** `1.50` and `1.5` do not contradict each other. */
function withoutZeros(question: NumericalQuestion): NumericalQuestion {
  const shortest = (text: string) => {
    const number = readDecimal(text)
    return number === null ? text : printDecimal(shortened(number))
  }
  return { ...question, value: shortest(question.value), tolerance: shortest(question.tolerance) }
}

/** Whether the tolerance is as great as the number, so that nothing at all is a right answer. */
function takesZero({ value, tolerance }: NumericalQuestion): boolean {
  const [right, most] = [readDecimal(value), readDecimal(tolerance)]
  return right !== null && most !== null && right.units !== 0n && isWithin(right, ZERO, most)
}
