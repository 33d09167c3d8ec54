import type { Db } from '../../../db/open.server.ts'
import { dayIn } from '../../../lib/calendar-day.ts'
import type { User } from '../../../lib/user.ts'
import { getExamDate } from '../plan/plan-queries.server.ts'
import { weakestDomain, type DomainView } from '../progress-page/progress-view.ts'
import { firstEstimate, masteriesIn, readinessOf } from '../readiness/readiness.ts'
import type { Readiness } from '../study.schema.ts'
import {
  answeredIn,
  answersWith,
  getDiagnosticBank,
  listAsked,
  type AskedQuestion,
  type DiagnosticBank,
  type DiagnosticRecord,
} from './diagnostic-queries.server.ts'
import { againFrom, TOLD_FROM } from './diagnostic.ts'

/** What a finished diagnostic, together with all other answers of the last 30 days, says now. */
export async function getDiagnosticResult(
  db: Db,
  of: { readonly record: DiagnosticRecord; readonly user: User | null; readonly now: Date },
) {
  const { record, user, now } = of
  const { courseId, size } = record
  const [bank, asked, plan] = await Promise.all([
    getDiagnosticBank(db, { userId: user?.id ?? null, courseId, size, now }),
    listAsked(db, record),
    user === null ? null : getExamDate(db, { userId: user.id, courseId }),
  ])
  const facts = { ...bank.facts, answers: answersWith(bank, asked), now }
  const first = firstEstimate(facts)
  const canTell = first.answered >= TOLD_FROM
  const masteries = masteriesIn(facts).map((one) => (canTell ? one : { ...one, mastery: null }))
  const domains = domainViews(bank, asked, masteries)
  const missing = { answered: first.answered, needed: TOLD_FROM, thinDomains: [] }
  const estimate: Readiness = canTell ? first : { kind: 'not-enough', ...missing }
  const passingPercent = facts.passingScore
  const finishedAt = record.finishedAt ?? now
  return {
    finishedAt: finishedAt.toISOString(),
    againFrom: againFrom(finishedAt).toISOString(),
    isSoon: now < againFrom(finishedAt),
    estimate,
    /** Whether the other pages have no estimate yet. */
    isBelowFloor: readinessOf(facts).kind === 'not-enough',
    passingPercent,
    domains,
    weakestName: weakestDomain(domains, passingPercent)?.name ?? null,
    answered: answeredIn(record, asked, bank),
    bankCount: bank.questions.length,
    /** Null without a date, or after it. */
    examDate: plan === null || plan.examDate < dayIn(now, plan.timeZone) ? null : plan.examDate,
  }
}
export type DiagnosticResultView = Awaited<ReturnType<typeof getDiagnosticResult>>

function domainViews(
  { questions }: DiagnosticBank,
  asked: readonly AskedQuestion[],
  masteries: ReturnType<typeof masteriesIn>,
): DomainView[] {
  const askedKeys = new Set(asked.map(({ key }) => key))
  return masteries.map(({ name, weight, mastery }) => {
    const own = questions.filter(({ question }) => question.domain === name)
    return {
      name,
      weight: 100 * weight,
      total: own.length,
      seen: own.filter(({ key, lastAt }) => lastAt !== null || askedKeys.has(key)).length,
      mastery:
        mastery === null
          ? null
          : { expected: mastery.expectedPercent, low: mastery.lowPercent, high: mastery.highPercent },
    }
  })
}
