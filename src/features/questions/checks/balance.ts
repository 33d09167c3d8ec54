import { isMultiple } from '../questions.ts'
import type { Blueprint } from '../questions.schema.ts'
import { checkSentences } from './bank-checks.copy.ts'
import type { BankExam, Remark } from './bank-checks.schema.ts'

/** What an exam gives away or gets out of proportion, although each of its questions is right. */
export function balanceRemarks(exam: BankExam, blueprint: Blueprint | null): Remark[] {
  return [
    ...longestRemarks(exam),
    ...positionRemarks(exam),
    ...domainRemarks(exam, blueprint),
    ...multipleRemarks(exam),
  ]
}

/** From how many questions on a pattern says more than chance. */
export const PATTERN_FLOOR = 10
export const LONGEST_SHARE_LIMIT = 0.45
/** From here on each of four places is expected to hold its part; below, only that none holds more than half. */
export const POSITION_FLOOR = 20
export const POSITION_SHARES = { least: 0.1, most: 0.4, mostOfFew: 0.5 }
/** From here on the blueprint is expected to hold within its points alone. */
export const DOMAIN_FLOOR = 40
export const DOMAIN_POINTS = 5
export const MULTIPLE_SHARES = { least: 0.1, most: 0.2 }

function longestRemarks(exam: BankExam): Remark[] {
  const single = singleChoices(exam)
  const longest = single.filter(({ options }) => {
    const right = options.find(({ isRight }) => isRight)
    return options.every((option) => option === right || option.text.length < (right?.text.length ?? 0))
  }).length
  if (single.length < PATTERN_FLOOR || longest <= single.length * LONGEST_SHARE_LIMIT) return []
  return [{ code: 'longest-is-right', sentence: checkSentences['longest-is-right'](longest, single.length) }]
}

function positionRemarks(exam: BankExam): Remark[] {
  const ofFour = singleChoices(exam).filter(({ options }) => options.length === 4)
  const counts = [0, 1, 2, 3].map((place) => ofFour.filter(({ options }) => options[place]?.isRight).length)
  const all = ofFour.length
  const isUneven =
    all >= POSITION_FLOOR
      ? counts.some((count) => count < all * POSITION_SHARES.least || count > all * POSITION_SHARES.most)
      : all >= PATTERN_FLOOR && counts.some((count) => count > all * POSITION_SHARES.mostOfFew)
  if (!isUneven) return []
  return [{ code: 'positions-uneven', sentence: checkSentences['positions-uneven'](counts.join(', ')) }]
}

function domainRemarks(exam: BankExam, blueprint: Blueprint | null): Remark[] {
  const all = exam.questions.length
  if (!blueprint || all === 0) return []
  const points = all >= DOMAIN_FLOOR ? DOMAIN_POINTS : DOMAIN_POINTS + 100 / all
  return blueprint.domains.flatMap(({ name, weight }) => {
    const share = (100 * exam.questions.filter(({ question }) => question.domain === name).length) / all
    if (Math.abs(share - weight) <= points + 1e-9) return []
    const sentence = checkSentences['domain-share'](name, rounded(share), weight, rounded(points))
    return [{ code: 'domain-share', sentence } as const]
  })
}

/** One question more or less is no matter: exams are small. */
function multipleRemarks(exam: BankExam): Remark[] {
  const all = exam.questions.length
  const multiple = exam.questions.filter(({ question }) => isMultiple(question)).length
  if (multiple + 1 >= all * MULTIPLE_SHARES.least && multiple - 1 <= all * MULTIPLE_SHARES.most) return []
  return [{ code: 'multiple-share', sentence: checkSentences['multiple-share'](multiple, all) }]
}

function singleChoices(exam: BankExam) {
  return exam.questions.map(({ question }) => question).filter((question) => !isMultiple(question))
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10)
}
