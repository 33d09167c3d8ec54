import { fill } from '../../../../lib/failure.ts'
import type { PlanView } from '../plan-view-queries.server.ts'
import { copy } from '../plan.copy.ts'
import type { StoredPlan } from '../plan.schema.ts'

/** How far the learner has come since the date was set. */
export function PlanProgress({ plan, wish, expected }: { plan: PlanView; wish: StoredPlan; expected: number | null }) {
  const { seenCount, questionCount, mocksDone } = plan
  const seen = fill(copy['plan.progress.seen'], { seen: seenCount, total: questionCount })
  const wished = wish.wishedPercent
  return (
    <section aria-labelledby="plan-progress" className="mt-10">
      <h2 id="plan-progress" className="text-lg font-semibold">
        {copy['plan.progress']}
      </h2>
      <p className="nums mt-2">{seen}</p>
      <svg viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true" className="mt-1 h-2 w-full rounded-full">
        <rect width="100" height="3" className="fill-sunken" />
        <rect width={questionCount === 0 ? 0 : (100 * seenCount) / questionCount} height="3" className="fill-accent" />
      </svg>
      <p className="nums mt-2 text-sm text-soft">{fill(copy['plan.progress.mocks'], { n: mocksDone })}</p>
      {wished === null ? null : (
        <p className="nums text-sm text-soft">
          {expected === null
            ? fill(copy['plan.progress.wish.none'], { wish: wished })
            : fill(copy['plan.progress.wish'], { wish: wished, expected: Math.round(expected) })}
        </p>
      )}
    </section>
  )
}
