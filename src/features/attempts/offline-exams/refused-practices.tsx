import { useEffect, useState } from 'react'
import { fill } from '../../../lib/failure.ts'
import { formatDay } from '../../../lib/time.ts'
import { listRefused } from './offline-exams-client.ts'
import { copy } from './offline-exams.copy.ts'
import type { StoredResult } from './stored-offline-exams.ts'

/** The practices of an exam on this device that the server refused, each with the reason. */
export function RefusedPractices({ examSlug }: { examSlug: string }) {
  const [results, setResults] = useState<readonly StoredResult[]>([])
  useEffect(() => {
    // The results on this device can be read after hydration only.
    listRefused({ examSlug }).then(setResults, (error: unknown) =>
      console.warn('What is on this device could not be read:', error),
    )
  }, [examSlug])
  return results.map(({ attempt, refused }) => (
    <div key={attempt.id} className="mt-6 rounded-lg border border-line bg-surface p-4">
      <p className="font-semibold">{fill(copy['pack.refused'], { day: formatDay(attempt.finishedAt) })}</p>
      <p className="mt-1 text-soft">{refused}</p>
    </div>
  ))
}
