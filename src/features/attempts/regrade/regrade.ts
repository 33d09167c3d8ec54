import { answerKeyOf, isSameAnswer, withAnswerKey } from '../../questions/types/grading-registry.ts'
import type { AnswerKey } from '../../questions/types/question-edit.schema.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import type { AttemptResult, Mode } from '../attempts.schema.ts'
import type { ChangedResult, KeyPreview, Score } from './regrade.schema.ts'

/** Results that a preview lists. */
const LISTED_RESULTS = 200

/** The effect of a corrected answer key on a version of the question. A key that says the same in other words has none. */
export function effectOf(question: Question, answerKey: AnswerKey): KeyPreview['versions'][number]['effect'] {
  const corrected = withAnswerKey(question, answerKey)
  if (corrected === null) return 'inapplicable'
  return isSameAnswer(answerKeyOf(question), answerKeyOf(corrected)) ? 'same' : 'corrected'
}

/** An attempt that is graded again by a corrected answer key. */
export type Regraded = {
  readonly attemptId: string
  readonly user: { readonly id: string; readonly name: string; readonly email: string } | null
  readonly mode: Mode
  /** The title of a drawn exam, which is not the exam of the question; null otherwise. */
  readonly drawnTitle: string | null
  readonly versionNumber: number
  readonly finishedAt: Date
  readonly before: AttemptResult
  readonly after: AttemptResult
}

/** The effect of a corrected answer key in numbers, and its first results. */
export function summarise(
  regraded: readonly Regraded[],
  domain: string,
): Omit<KeyPreview, 'versions' | 'finishedCount' | 'openCount'> {
  const count = (isCounted: (one: Regraded) => boolean) => regraded.filter(isCounted).length
  return {
    domain,
    changedCount: regraded.length,
    raisedCount: count(({ before, after }) => after.scorePercent > before.scorePercent),
    loweredCount: count(({ before, after }) => after.scorePercent < before.scorePercent),
    nowPassedCount: count(({ before, after }) => after.isPassed && !before.isPassed),
    noLongerPassedCount: count(({ before, after }) => before.isPassed && !after.isPassed),
    toldCount: new Set(regraded.flatMap(({ user }) => (user === null ? [] : [user.id]))).size,
    results: regraded.slice(0, LISTED_RESULTS).map((one) => toChanged(one, domain)),
  }
}

function toChanged(one: Regraded, domain: string): ChangedResult {
  const { attemptId, user, mode, versionNumber, finishedAt, before, after } = one
  return {
    attemptId,
    learner: user?.name ?? null,
    mode,
    versionNumber,
    finishedAt: finishedAt.toISOString(),
    before: scoreOf(before, domain),
    after: scoreOf(after, domain),
  }
}

function scoreOf({ scorePercent, isPassed, domains }: AttemptResult, domain: string): Score {
  return { scorePercent, isPassed, domainPercent: domains.find((one) => one.domain === domain)?.percent ?? null }
}
