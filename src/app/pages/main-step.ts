import type { AttemptSummary } from '../../features/attempts/attempts.schema.ts'

/** The one thing to do next in a course of My Courses; everything else on its card is quiet. */
export type MainStep =
  | { readonly kind: 'resume'; readonly attemptId: string }
  | { readonly kind: 'study' }
  | { readonly kind: 'timed'; readonly examSlug: string }
  | null

/**
 * What was begun comes first, the latest first; then questions that are due today; then the first exam that was not passed yet.
 * `results` are those of this course.
 */
export function mainStepOf({
  isOpen,
  dueCount,
  exams,
  results,
}: {
  /** Whether the user may take the paid exams now. */
  isOpen: boolean
  dueCount: number
  exams: readonly { readonly slug: string; readonly isFreeTrial: boolean }[]
  results: readonly {
    readonly examSlug: string
    readonly isPassed: boolean
    readonly open: Pick<AttemptSummary, 'id' | 'startedAt'> | null
  }[]
}): MainStep {
  const [begun] = results
    .flatMap(({ open }) => open ?? [])
    .toSorted((one, other) => other.startedAt.localeCompare(one.startedAt))
  if (begun !== undefined) return { kind: 'resume', attemptId: begun.id }
  if (!isOpen) return null
  if (dueCount > 0) return { kind: 'study' }
  const isPassed = (slug: string) => results.some((one) => one.examSlug === slug && one.isPassed)
  const next = exams.find(({ slug, isFreeTrial }) => !isFreeTrial && !isPassed(slug))
  return next === undefined ? { kind: 'study' } : { kind: 'timed', examSlug: next.slug }
}
