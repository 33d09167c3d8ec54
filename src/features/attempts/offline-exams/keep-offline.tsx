import { useEffect, useState } from 'react'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { formatDay } from '../../../lib/time.ts'
import { messageOf } from '../../../platform/api-client.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import { storeOfflineExam, readOfflineExam, removeOfflineExam } from './offline-exams-client.ts'
import { copy } from './offline-exams.copy.ts'

/** Stores an exam on this device for offline practice, and removes it. */
export function KeepOffline({ examSlug }: { examSlug: string }) {
  const [until, setUntil] = useState<string | null>(null)
  useEffect(() => {
    // The exams stored on this device can be read after hydration only.
    readOfflineExam(examSlug).then(
      (offlineExam) => setUntil(offlineExam?.accessUntil ?? null),
      (error: unknown) => console.warn('What is on this device could not be read:', error),
    )
  }, [examSlug])
  const storing = useMutation(() => storeOfflineExam(examSlug), {
    onSuccess: ({ accessUntil }) => setUntil(accessUntil),
  })
  const removing = useMutation(() => removeOfflineExam(examSlug), { onSuccess: () => setUntil(null) })
  // Each is shown with its own button.
  const { failure } = until === null ? storing : removing
  return (
    <section aria-labelledby="offline-heading" className="mt-8 border-t border-line pt-6">
      <h2 id="offline-heading" className="text-lg font-semibold">
        {copy['pack.heading']}
      </h2>
      <p className="mt-1 max-w-read text-soft">{copy['pack.about']}</p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        {until === null ? (
          <Button look="secondary" {...storing.button} onClick={() => storing.run()}>
            {copy['pack.keep']}
          </Button>
        ) : (
          <>
            <ButtonLink look="secondary" to={paths.offlinePractice(examSlug)} reloadDocument>
              {copy['pack.open']}
            </ButtonLink>
            <Button look="quiet" {...removing.button} onClick={() => removing.run()}>
              {copy['pack.remove']}
            </Button>
          </>
        )}
        <p role="status" className="text-sm text-soft">
          {until === null ? null : fill(copy['pack.kept'], { day: formatDay(until) })}
        </p>
      </div>
      {failure === null ? null : (
        <p role="alert" className="mt-3 text-sm text-bad">
          {messageOf(failure)}
        </p>
      )}
    </section>
  )
}
