import { useEffect, useState } from 'react'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { formatDay } from '../../../lib/time.ts'
import { messageOf } from '../../../platform/api-client.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { storeOfflineExam, readOfflineExam, removeOfflineExam } from './offline-exams-client.ts'
import { copy } from './offline-exams.copy.ts'

/** Puts an exam on this device, and takes it away again. */
export function KeepOffline({ examSlug }: { examSlug: string }) {
  const [until, setUntil] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    // Outside: what lies on this device.
    readOfflineExam(examSlug).then(
      (offlineExam) => setUntil(offlineExam?.accessUntil ?? null),
      (error: unknown) => console.warn('What is on this device could not be read:', error),
    )
  }, [examSlug])
  const attempt = async (work: () => Promise<string | null>) => {
    setBusy(true)
    setProblem(null)
    try {
      setUntil(await work())
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const handleKeep = () => void attempt(async () => (await storeOfflineExam(examSlug)).accessUntil)
  const handleRemove = () => void attempt(async () => (await removeOfflineExam(examSlug), null))
  return (
    <section aria-labelledby="offline-heading" className="mt-8 border-t border-line pt-6">
      <h2 id="offline-heading" className="text-lg font-semibold">
        {copy['pack.heading']}
      </h2>
      <p className="mt-1 max-w-read text-soft">{copy['pack.about']}</p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        {until === null ? (
          <Button look="secondary" disabled={isBusy} onClick={handleKeep}>
            {copy['pack.keep']}
          </Button>
        ) : (
          <>
            <ButtonLink look="secondary" to={paths.offlinePractice(examSlug)} reloadDocument>
              {copy['pack.open']}
            </ButtonLink>
            <Button look="quiet" disabled={isBusy} onClick={handleRemove}>
              {copy['pack.remove']}
            </Button>
          </>
        )}
        <p role="status" className="text-sm text-soft">
          {until === null ? null : fill(copy['pack.kept'], { day: formatDay(until) })}
        </p>
      </div>
      {problem === null ? null : (
        <p role="alert" className="mt-3 text-sm text-bad">
          {problem}
        </p>
      )}
    </section>
  )
}
