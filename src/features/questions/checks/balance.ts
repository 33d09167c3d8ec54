import { typeBalanceRemarks } from '../types/check-registry.ts'
import type { Blueprint } from '../questions.schema.ts'
import { remark } from './bank-checks.copy.ts'
import { inOrderOfCodes, type BankExam, type Remark } from './bank-checks.schema.ts'

/**
 * Checks an exam as a whole: patterns that reveal answer keys, and domains whose share differs from the blueprint. Each
 * question may be correct by itself.
 */
export function balanceRemarks(exam: BankExam, blueprint: Blueprint | null): Remark[] {
  const questions = exam.questions.map(({ question }) => question)
  return inOrderOfCodes([...typeBalanceRemarks(questions), ...domainRemarks(exam, blueprint)])
}

/**
 * From this many questions on, a domain's share may differ from the blueprint by `DOMAIN_POINTS`; in smaller exams by one
 * question more.
 */
const DOMAIN_FLOOR = 40
const DOMAIN_POINTS = 5

function domainRemarks(exam: BankExam, blueprint: Blueprint | null): Remark[] {
  const all = exam.questions.length
  if (!blueprint || all === 0) return []
  const points = all >= DOMAIN_FLOOR ? DOMAIN_POINTS : DOMAIN_POINTS + 100 / all
  return blueprint.domains.flatMap(({ name, weight }) => {
    const share = (100 * exam.questions.filter(({ question }) => question.domain === name).length) / all
    if (Math.abs(share - weight) <= points + 1e-9) return []
    return [remark('domain-share', name, rounded(share), weight, rounded(points))]
  })
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10)
}
