import { md5Hex } from '../../../../lib/md5.ts'
import { contentTextOf } from '../parts/content-text.ts'
import { specificationFields } from '../parts/typed-specification.ts'
import type { TypeContent } from '../type-content.ts'
import { keyLine } from './numerical-grading.ts'
import type { NumericalQuestion } from './numerical.schema.ts'
import { readNumerical } from './numerical-validation.ts'

export const numericalContent: TypeContent<'numerical'> = {
  fingerprint: numericalFingerprint,
  contentText: contentTextOf,
  copy: (question, id) => ({ ...question, id }),
  readBody: readNumerical,
  texts: () => [],
  withTexts: (question) => question,
  toSpecification: numericalToSpecification,
  withoutKey: numericalWithoutKey,
}

/** Equal for questions with equal stem, number, tolerance and unit. */
function numericalFingerprint({ stem, value, tolerance, unit }: NumericalQuestion): string {
  return md5Hex(JSON.stringify(['numerical', stem, value, tolerance, unit]))
}

function numericalToSpecification(question: NumericalQuestion) {
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

function numericalWithoutKey({ id, stem, domain, unit }: NumericalQuestion) {
  return { id, type: 'numerical' as const, question: stem, domain, answer_a: '', answer_b: '', body: { unit } }
}
