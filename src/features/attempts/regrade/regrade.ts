import { withKey } from '../../authoring/drafts/drafts.ts'
import { rightOptionIds } from '../../questions/questions.ts'
import type { Question } from '../../questions/questions.schema.ts'
import type { AttemptResult, Mode } from '../attempts.schema.ts'
import type { ChangedResult, KeyPreview, Score } from './regrade.schema.ts'

/** So many results a preview lists. */
export const LISTED_RESULTS = 200

/** Why a key cannot be given to a question; null when it can. */
export function keyProblem(question: Question, rightIds: readonly string[]): 'key.unknown-answer' | 'key.count' | null {
  const known = new Set(question.options.map(({ id }) => id))
  if (!rightIds.every((id) => known.has(id))) return 'key.unknown-answer'
  return rightIds.length === rightOptionIds(question).length ? null : 'key.count'
}

/** What a mended key does to a version of the question. */
export function becomes(question: Question, rightIds: readonly string[]): 'mended' | 'same' | 'kept' {
  if (withKey(question, rightIds) === null) return 'kept'
  return sameKey(rightOptionIds(question), rightIds) ? 'same' : 'mended'
}

export function sameKey(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id))
}

/** An attempt that a mended key grades anew. */
export type Regraded = {
  readonly attemptId: string
  readonly user: { readonly id: string; readonly name: string; readonly email: string } | null
  readonly mode: Mode
  readonly versionNumber: number
  readonly finishedAt: Date
  readonly before: AttemptResult
  readonly after: AttemptResult
}

/** The effect of a mended key in numbers, and its first results. */
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
