import { useEffect, useState } from 'react'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { formatDay } from '../../../lib/time.ts'
import { messageOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import {
  onDeviceChange,
  readOfflineExam,
  readStored,
  removeOfflineExam,
  storeOfflineExam,
} from './offline-exams-client.ts'
import { copy } from './offline-exams.copy.ts'
import type { StoredOfflineExam } from './stored-offline-exams.ts'
import { PracticeLinks } from './practice-links.tsx'

/** Stores an exam on this device for offline practice, and removes it. */
export function KeepOffline({ examSlug }: { examSlug: string }) {
  const [stored, setStored] = useState<StoredOfflineExam | null>(null)
  useEffect(() => {
    // The exams stored on this device can be read after hydration only.
    const read = () =>
      void readKept(examSlug).then(setStored, (error: unknown) =>
        console.warn('What is on this device could not be read:', error),
      )
    read()
    return onDeviceChange(read)
  }, [examSlug])
  const storing = useMutation(
    async () => {
      await storeOfflineExam(examSlug)
      return readStored(examSlug)
    },
    { onSuccess: setStored },
  )
  const removing = useMutation(() => removeOfflineExam(examSlug), { onSuccess: () => setStored(null) })
  // Each is shown with its own button.
  const { failure } = stored === null ? storing : removing
  return (
    <section aria-labelledby="offline-heading" className="mt-8 border-t border-line pt-6">
      <h2 id="offline-heading" className="text-lg font-semibold">
        {copy['pack.heading']}
      </h2>
      <p className="mt-1 max-w-read text-soft">{copy['pack.about']}</p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        {stored === null ? (
          <Button look="secondary" {...storing.button} onClick={() => storing.run()}>
            {copy['pack.keep']}
          </Button>
        ) : (
          <>
            <PracticeLinks stored={stored} />
            <Button look="quiet" {...removing.button} onClick={() => removing.run()}>
              {copy['pack.remove']}
            </Button>
          </>
        )}
        <p role="status" className="text-sm text-soft">
          {stored === null ? null : fill(copy['pack.kept'], { day: formatDay(stored.offlineExam.accessUntil) })}
        </p>
      </div>
      {stored === null ? null : (
        <p className="mt-3 text-sm">
          <a href={paths.offlinePractices} className="inline-flex min-h-6 items-center text-accent underline">
            {copy['pack.list.all']}
          </a>
        </p>
      )}
      {failure === null ? null : (
        <p role="alert" className="mt-3 text-sm text-bad">
          {messageOf(failure)}
        </p>
      )}
    </section>
  )
}

/** Removes the exam first if its access has ended. */
async function readKept(examSlug: string): Promise<StoredOfflineExam | null> {
  return (await readOfflineExam(examSlug)) === null ? null : readStored(examSlug)
}
