import { remark } from '../../checks/bank-checks.copy.ts'
import type { TypeChecks } from '../type-checks.ts'
import { readDecimal, isWithin } from './decimal-numbers.ts'
import { keyLine } from './numerical-grading.ts'
import type { NumericalQuestion } from './numerical.schema.ts'

const ZERO = { units: 0n, places: 0 }

export const numericalChecks: TypeChecks<'numerical'> = {
  comparedParts: (question) => [{ text: 'number', keyValue: keyLine(question), isRight: true }],
  wordingRemarks: (question) => (takesZero(question) ? [remark('tolerance-wide', keyLine(question))] : []),
  balanceRemarks: () => [],
  cueOptions: () => null,
  kindOf: () => 'numerical',
}

/** Whether the tolerance is as great as the number, so that nothing at all is a right answer. */
function takesZero({ value, tolerance }: NumericalQuestion): boolean {
  const [right, most] = [readDecimal(value), readDecimal(tolerance)]
  return right !== null && most !== null && right.units !== 0n && isWithin(right, ZERO, most)
}
