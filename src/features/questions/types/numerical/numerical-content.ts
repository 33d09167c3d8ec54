import { md5Hex } from '../../../../lib/md5.ts'
import { specificationFields, typedSpecification, typedWithoutKey } from '../parts/typed-specification.ts'
import { keyLine } from './numerical-grading.ts'
import type { NumericalQuestion } from './numerical.schema.ts'

/** Equal for questions with equal stem, number, tolerance and unit. */
export function numericalFingerprint({ stem, value, tolerance, unit }: NumericalQuestion): string {
  return md5Hex(JSON.stringify(['numerical', stem, value, tolerance, unit]))
}

export const SpecificationNumerical = typedSpecification('numerical')
export const SpecificationNumericalWithoutKey = typedWithoutKey('numerical')

export function numericalToSpecification(question: NumericalQuestion) {
  const { value, tolerance, unit } = question
  return {
    ...specificationFields(question),
    type: 'numerical' as const,
    answer_a: '',
    answer_b: '',
    final_answer: keyLine(question),
    body: { value, tolerance, unit },
  }
}

export function numericalWithoutKey({ id, stem, domain, unit }: NumericalQuestion) {
  return { id, type: 'numerical' as const, question: stem, domain, answer_a: '', answer_b: '', body: { unit } }
}
