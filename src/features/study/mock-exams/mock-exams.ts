import type { Blueprint } from '../../questions/questions.schema.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import { meanRightChance } from '../readiness/response-model.ts'
import { PRIOR, weightsOf, type CourseItem } from '../readiness/readiness.ts'
import type { Standing } from '../study.schema.ts'
import { RANKS, type BankQuestion } from './draw-form.ts'

/** Questions of the learner's last exams of these many are drawn later. */
export const LATE_EXAMS = 3

/** A question of the bank with what a learner's form needs. */
export type BankEntry = BankQuestion & {
  readonly from: { readonly examId: string; readonly familyId: string; readonly questionId: string }
  readonly question: Question
  readonly standing: Standing
}

type Known = {
  readonly key: string
  readonly examId: string
  readonly familyId: string
  readonly question: Question
  readonly standing: Standing
}

/**
 * The bank of a course as a draw sees it. How hard a question is comes from `items`: its calibration, or its author's label until it
 * has one. The mix of kinds is the bank's own: providers do not publish theirs.
 */
export function bankOf(
  questions: readonly Known[],
  items: readonly CourseItem[],
  learner: { readonly drawnLately: ReadonlySet<string>; readonly finishedExams: ReadonlySet<string> },
): BankEntry[] {
  const itemByKey = new Map(items.map(({ key, item }) => [key, item]))
  return questions.map(({ key, examId, familyId, question, standing }) => {
    const item = itemByKey.get(key)
    const { caseStudy } = question
    return {
      id: key,
      from: { examId, familyId, questionId: question.id },
      question,
      standing,
      domain: standing.domain,
      type: standing.kind,
      ...(caseStudy === undefined ? {} : { caseStudy: `${examId} ${caseStudy}` }),
      expected:
        item === undefined ? 0.7 : meanRightChance(PRIOR.start.mean - item.difficulty, item.deviation, item.guess),
      rank: rankOf({
        isUnseen: standing.isUnseen,
        isDrawnLately: learner.drawnLately.has(key),
        isExamFinished: learner.finishedExams.has(familyId),
      }),
    }
  })
}

function rankOf(known: { isUnseen: boolean; isDrawnLately: boolean; isExamFinished: boolean }): number {
  const rank = known.isDrawnLately ? RANKS.drawnLately : known.isUnseen ? RANKS.unseen : RANKS.seen
  return known.isExamFinished ? rank : RANKS.waiting + rank
}

/** The weights of the domains of the bank: those of the blueprint, over the domains that are left. */
export function weightsIn(
  bank: readonly BankEntry[],
  all: readonly BankEntry[],
  blueprint: Blueprint | null,
): Map<string, number> {
  const weights = weightsOf(
    all.map(({ domain }) => domain),
    blueprint,
  )
  const left = new Set(bank.map(({ domain }) => domain))
  const kept = [...weights].filter(([domain]) => left.has(domain))
  const total = kept.reduce((sum, [, weight]) => sum + weight, 0)
  return new Map(kept.map(([domain, weight]) => [domain, weight / total]))
}

type PracticeExam = {
  readonly questionCount: number
  readonly timeLimitMinutes: number
  readonly isFreeTrial: boolean
}

/** The length of the real exam: from the blueprint, or else that of the course's longest exam. */
export function fullLength(
  blueprint: Blueprint | null,
  exams: readonly PracticeExam[],
): { readonly questions: number; readonly minutes: number } {
  if (blueprint !== null) return { questions: blueprint.questions, minutes: blueprint.minutes }
  const longest = exams.toSorted((a, b) => b.questionCount - a.questionCount)[0]
  return { questions: longest?.questionCount ?? 0, minutes: longest?.timeLimitMinutes ?? 0 }
}

/** The minutes of a form that is shorter than wanted: the same time for each question. */
export function minutesFor(count: number, full: { readonly questions: number; readonly minutes: number }): number {
  return count >= full.questions ? full.minutes : Math.max(1, Math.ceil((full.minutes * count) / full.questions))
}

/** What a form consists of, in numbers. */
export function factsOf(form: {
  readonly questions: readonly BankEntry[]
  readonly missing: number
  readonly shortDomains: readonly string[]
}) {
  const { questions } = form
  const count = (isCounted: (rank: number) => boolean) => questions.filter(({ rank }) => isCounted(rank)).length
  return {
    questions: questions.length,
    unseen: questions.filter(({ standing }) => standing.isUnseen).length,
    drawnLately: count((rank) => rank === RANKS.drawnLately || rank === RANKS.waitingDrawnLately),
    waiting: count((rank) => rank >= RANKS.waiting),
    missing: form.missing,
    shortDomains: form.shortDomains.length,
  }
}
export type FormFacts = ReturnType<typeof factsOf>
