import type { AttemptSummary } from '../../features/attempts/attempts.schema.ts'

/** The one thing to do next in a course of My Courses; everything else on its card is quiet. */
export type MainStep =
  | { readonly kind: 'resume'; readonly attemptId: string }
  | { readonly kind: 'study' }
  | { readonly kind: 'timed'; readonly examSlug: string }
  | null

/**
 * What was begun comes first, the latest first; then questions that are due today; then the first exam that was not passed yet.
 * `attempts` are those of this course.
 */
export function mainStepOf({
  isOpen,
  dueCount,
  exams,
  attempts,
}: {
  /** Whether the user may take the paid exams now. */
  isOpen: boolean
  dueCount: number
  exams: readonly { readonly slug: string; readonly isFreeTrial: boolean }[]
  attempts: readonly Pick<AttemptSummary, 'id' | 'examSlug' | 'state' | 'isPassed' | 'startedAt'>[]
}): MainStep {
  const [begun] = attempts
    .filter(({ state }) => state === 'open')
    .toSorted((one, other) => other.startedAt.localeCompare(one.startedAt))
  if (begun !== undefined) return { kind: 'resume', attemptId: begun.id }
  if (!isOpen) return null
  if (dueCount > 0) return { kind: 'study' }
  const isPassed = (slug: string) => attempts.some((one) => one.examSlug === slug && one.isPassed === true)
  const next = exams.find(({ slug, isFreeTrial }) => !isFreeTrial && !isPassed(slug))
  return next === undefined ? { kind: 'study' } : { kind: 'timed', examSlug: next.slug }
}
