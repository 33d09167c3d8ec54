import { useEffect, useState } from 'react'
import { fill } from '../../../lib/failure.ts'
import { formatDay } from '../../../lib/time.ts'
import { listOfflineExams, onDeviceChange } from './offline-exams-client.ts'
import { copy } from './offline-exams.copy.ts'
import { PracticeLinks } from './practice-links.tsx'
import type { StoredOfflineExam } from './stored-offline-exams.ts'

/** The exams on this device, each with how far its practice is; null while they are read. */
export function useKeptExams(): readonly StoredOfflineExam[] | null {
  const [exams, setExams] = useState<readonly StoredOfflineExam[] | null>(null)
  useEffect(() => {
    // The exams stored on this device can be read after hydration only.
    const read = () =>
      void listOfflineExams().then(setExams, (error: unknown) => {
        console.warn('What is on this device could not be read:', error)
        setExams([])
      })
    read()
    return onDeviceChange(read)
  }, [])
  return exams
}

export function KeptExams({ exams }: { exams: readonly StoredOfflineExam[] }) {
  if (exams.length === 0) return null
  return (
    <section aria-labelledby="kept-exams" className="mt-10">
      <h2 id="kept-exams" className="text-xl font-semibold">
        {copy['pack.list']}
      </h2>
      <ul className="mt-4 divide-y divide-line border-y border-line">
        {exams.map((stored) => (
          <li key={stored.offlineExam.examSlug} className="py-4">
            <h3 className="font-semibold">{stored.offlineExam.examTitle}</h3>
            <p className="text-sm text-soft">
              {stored.offlineExam.courseTitle}.{' '}
              {fill(copy['pack.kept'], { day: formatDay(stored.offlineExam.accessUntil) })}
            </p>
            <div className="mt-3 flex flex-wrap items-center gap-3">
              <PracticeLinks stored={stored} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
