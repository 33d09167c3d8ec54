import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { formatInstant } from '../../../../lib/time.ts'
import { messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { beginDraft, discardDraft, getChanges, publishDraft } from '../drafts-client.ts'
import { copy } from '../drafts.copy.ts'
import { isChanged } from '../drafts.ts'
import type { DraftChanges, DraftView, ExamRecord } from '../drafts.schema.ts'
import { ChangeSummary } from './change-summary.tsx'

/** Whether the exam is being edited, and what can be done about it. */
export function DraftBar({ exam }: { exam: ExamRecord }) {
  const { draft } = exam
  return draft === null ? <BeginDraft exam={exam} /> : <RunningDraft exam={exam} draft={draft} />
}

function BeginDraft({ exam }: { exam: ExamRecord }) {
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  const handleBegin = async () => {
    setBusy(true)
    try {
      await beginDraft(exam.id)
      await revalidate()
    } catch (error) {
      toast('error', copy['exam.edit'], messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button disabled={isBusy} onClick={() => void handleBegin()}>
        {copy['exam.edit']}
      </Button>
      <p className="nums text-sm text-soft">{fill(copy['exam.edit.hint'], { n: exam.versionNumber })}</p>
    </div>
  )
}

function RunningDraft({ exam, draft }: { exam: ExamRecord; draft: DraftView }) {
  const { revalidate } = useRevalidator()
  const [open, setOpen] = useState<'publish' | 'discard' | null>(null)
  const [changes, setChanges] = useState<DraftChanges | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const next = Math.max(...exam.versions.map(({ versionNumber }) => versionNumber)) + 1

  const handlePublish = async () => {
    setOpen('publish')
    setChanges(null)
    setProblem(null)
    try {
      setChanges(await getChanges(exam.id))
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  const finish = async (act: () => Promise<void>) => {
    setBusy(true)
    setProblem(null)
    try {
      await act()
      setOpen(null)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
      await revalidate()
    }
  }
  const handlePublishNow = (version: number) =>
    finish(async () => {
      const { versionNumber } = await publishDraft(exam.id, version)
      toast('success', copy['exam.published'], fill(copy['exam.published.text'], { n: versionNumber }))
    })
  const handleDiscardNow = () =>
    finish(async () => {
      await discardDraft(exam.id, draft.version)
      toast('success', copy['exam.discarded'])
    })

  return (
    <section aria-label={copy['exam.draft']} className="mt-6 rounded-lg border border-line bg-surface p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <p className="nums font-semibold wrap-anywhere">{stateSaid(draft)}</p>
          <p className="nums mt-1 text-sm text-soft">{fill(copy['exam.draft.hint'], { n: exam.versionNumber })}</p>
        </div>
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => void handlePublish()}>{copy['exam.publish']}</Button>
          <Button
            look="secondary"
            onClick={() => {
              setProblem(null)
              setOpen('discard')
            }}
          >
            {copy['exam.discard']}
          </Button>
        </div>
      </div>
      <Dialog
        title={fill(copy['exam.publish.title'], { n: next })}
        isOpen={open === 'publish'}
        onClose={() => setOpen(null)}
      >
        <div className="overflow-y-auto p-5">
          <p>{copy['exam.publish.about']}</p>
          {changes === null ? null : <ChangeSummary changes={changes} />}
          {problem === null ? null : (
            <Notice tone="bad" className="mt-4">
              {problem}
            </Notice>
          )}
          <div className="mt-6 flex flex-wrap gap-3">
            <Button
              disabled={isBusy || changes === null || !isChanged(changes)}
              onClick={() => void (changes === null ? null : handlePublishNow(changes.version))}
            >
              {fill(copy['exam.publish.now'], { n: next })}
            </Button>
            <Button look="secondary" onClick={() => setOpen(null)}>
              {copy['exam.keep']}
            </Button>
          </div>
        </div>
      </Dialog>
      <Dialog title={copy['exam.discard.title']} isOpen={open === 'discard'} onClose={() => setOpen(null)}>
        <div className="overflow-y-auto p-5">
          <p className="nums">{fill(copy['exam.discard.about'], { n: draft.fromVersion })}</p>
          {problem === null ? null : (
            <Notice tone="bad" className="mt-4">
              {problem}
            </Notice>
          )}
          <div className="mt-6 flex flex-wrap gap-3">
            <Button look="danger" disabled={isBusy} onClick={() => void handleDiscardNow()}>
              {copy['exam.discard.now']}
            </Button>
            <Button look="secondary" onClick={() => setOpen(null)}>
              {copy['exam.keep']}
            </Button>
          </div>
        </div>
      </Dialog>
    </section>
  )
}

function stateSaid({ fromVersion, updatedAt, updatedBy }: DraftView): string {
  const words = { n: fromVersion, at: formatInstant(updatedAt), name: updatedBy ?? '' }
  return fill(copy[updatedBy === null ? 'exam.draft.state' : 'exam.draft.state.by'], words)
}
