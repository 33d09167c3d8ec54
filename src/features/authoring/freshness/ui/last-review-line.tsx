import { fill } from '../../../../lib/failure.ts'
import { formatDay } from '../../../../lib/time.ts'
import { copy } from '../last-review.copy.ts'
import type { LastReview } from '../last-review-queries.server.ts'

/** How fresh the questions of a course are; nothing where none was verified. */
export function LastReviewLine({ review }: { review: LastReview | null }) {
  if (review === null) return null
  const { day, verified, questions } = review
  return (
    <p className="nums mt-6 max-w-read text-sm text-soft">
      {fill(copy['review.last'], { day: formatDay(day), n: verified, m: questions })}
    </p>
  )
}
