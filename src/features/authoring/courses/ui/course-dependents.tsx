import { useEffect, useEffectEvent, useState } from 'react'
import { getDependents } from '../admin-courses-client.ts'
import type { CourseDependents } from '../../../catalogue/catalogue.schema.ts'

/** The data that depends on a course, shown before it is deleted. Offline it shows the rule only. */
export function CourseDependentsList({
  courseId,
  onFound,
}: {
  courseId: string
  /** Called with what a deletion would do. */
  onFound?: (outcome: CourseDependents['outcome']) => void
}) {
  const [found, setFound] = useState<CourseDependents | 'unknown' | null>(null)
  const handleFound = useEffectEvent((dependents: CourseDependents) => {
    setFound(dependents)
    onFound?.(dependents.outcome)
  })
  useEffect(() => {
    // Fetch the numbers of owners and attempts; ignore a reply for a course that is no longer shown.
    let isOver = false
    getDependents(courseId).then(
      (dependents) => isOver || handleFound(dependents),
      () => isOver || setFound('unknown'),
    )
    return () => {
      isOver = true
    }
  }, [courseId])
  if (found === 'unknown') return <p className="mt-3 text-sm text-soft">What hangs on it can’t be asked right now.</p>
  return (
    <div aria-live="polite" className="mt-4 min-h-50 text-sm">
      {found === null ? (
        <p className="text-soft">Looking at what hangs on it...</p>
      ) : (
        <>
          <dl className="nums divide-y divide-line border-y border-line">
            {rows.map(([name, label]) => (
              <div key={name} className="flex justify-between gap-4 py-1.5">
                <dt className="text-soft">{label}</dt>
                <dd className="font-semibold">{found[name].toLocaleString('en-US')}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-3 font-semibold">
            {found.outcome === 'deleted'
              ? found.attempts + found.guestAttempts > 0
                ? 'Nobody has bought it: it is deleted for good, with its exams, their drafts and the attempts at its free trials.'
                : 'Nobody has bought or taken it: it is deleted for good, with its exams and drafts.'
              : 'It is withdrawn from sale and not deleted: owners keep it, and results and orders stay.'}
          </p>
        </>
      )}
    </div>
  )
}

const rows = [
  ['exams', 'Exams'],
  ['questions', 'Questions that learners get'],
  ['drafts', 'Drafts of exams'],
  ['owners', 'People who own it now'],
  ['formerOwners', 'People who owned it'],
  ['attempts', 'Attempts of people with an account'],
  ['guestAttempts', 'Attempts of guests at free trials'],
  ['orders', 'Orders'],
] as const
