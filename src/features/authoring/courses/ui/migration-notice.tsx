import { useState, useSyncExternalStore } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { countUnsaved, onUnsaved } from '../../../catalogue/data-calls/local-courses-client.ts'
import { migrateHere } from '../../../catalogue/data-calls/tab-sync-client.ts'
import { counted } from '../../../../lib/text.ts'

/** Offers to send the edits that were made in this browser before an admin signed in. */
export function MigrationNotice({ onMoved }: { onMoved: () => void }) {
  const count = useSyncExternalStore(onUnsaved, countUnsaved, () => 0)
  const [progress, setProgress] = useState<string | null>(null)
  const [failed, setFailed] = useState<readonly { title: string; why: string }[]>([])
  if (count === 0) return null
  const handleMove = async () => {
    setProgress('Uploading...')
    const result = await migrateHere((done, of) => setProgress(`Uploading course ${done + 1} of ${of}...`))
    setProgress(null)
    if (result.kind === 'runs-already')
      return toast('warning', 'Another upload is running', 'Wait a few seconds and look again.')
    setFailed(result.failed)
    if (result.moved > 0) onMoved()
  }
  return (
    <Notice
      tone="info"
      className="mt-3"
      title={`${counted(count, 'course was', 'courses were')} made in this browser and never reached the server.`}
    >
      <p>Upload them as drafts, with their exams. Nothing is sold before you publish it.</p>
      {failed.map(({ title, why }) => (
        <p key={title} className="text-bad wrap-anywhere">
          {title}: {why}
        </p>
      ))}
      <div className="mt-3 flex flex-wrap items-center gap-4">
        <Button look="secondary" disabled={progress !== null} onClick={() => void handleMove()}>
          Upload
        </Button>
        <span role="status" className="nums">
          {progress}
        </span>
      </div>
    </Notice>
  )
}
