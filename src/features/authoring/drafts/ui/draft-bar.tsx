import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { formatInstant } from '../../../../lib/time.ts'
import { messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/dialog-parts.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { beginDraft, discardDraft, getChanges, publishDraft } from '../drafts-client.ts'
import { copy } from '../drafts.copy.ts'
import { isChanged } from '../drafts.ts'
import type { DraftChanges, DraftView, ExamRecord } from '../drafts.schema.ts'
import { ChangeSummary } from './change-summary.tsx'
import { Published } from './published.tsx'

/** Begins the draft of an exam, or publishes or discards it. */
export function DraftBar({ exam }: { exam: ExamRecord }) {
  const { draft } = exam
  const [published, setPublished] = useState<number | null>(null)
  return (
    <>
      {published === null ? null : (
        <Published
          text={fill(copy['exam.published.text'], { n: published })}
          seenAt={exam.courseStatus === 'published' ? paths.exam(exam.courseSlug, exam.slug) : null}
          className="mt-6"
        />
      )}
      {draft === null ? (
        <BeginDraft exam={exam} />
      ) : (
        <RunningDraft exam={exam} draft={draft} onPublished={setPublished} />
      )}
    </>
  )
}

function BeginDraft({ exam }: { exam: ExamRecord }) {
  const beginning = useMutation(() => beginDraft(exam.id), {
    revalidates: true,
    onFailure: (error) => toast('error', copy['exam.edit'], messageOf(error)),
  })
  return (
    <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button {...beginning.button} onClick={beginning.run}>
        {copy['exam.edit']}
      </Button>
      <p className="nums text-sm text-soft">{fill(copy['exam.edit.hint'], { n: exam.versionNumber })}</p>
    </div>
  )
}

type OnPublished = (versionNumber: number) => void

function RunningDraft({ exam, draft, onPublished }: { exam: ExamRecord; draft: DraftView; onPublished: OnPublished }) {
  const [dialog, setDialog] = useState<'publish' | 'discard' | null>(null)
  const close = () => setDialog(null)
  return (
    <section aria-label={copy['exam.draft']} className="mt-6 rounded-lg border border-line bg-surface p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <p className="nums font-semibold wrap-anywhere">{describeDraft(draft)}</p>
          <p className="nums mt-1 text-sm text-soft">{fill(copy['exam.draft.hint'], { n: exam.versionNumber })}</p>
        </div>
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => setDialog('publish')}>{copy['exam.publish']}</Button>
          <Button look="secondary" onClick={() => setDialog('discard')}>
            {copy['exam.discard']}
          </Button>
        </div>
      </div>
      <PublishDialog exam={exam} onPublished={onPublished} isOpen={dialog === 'publish'} onClose={close} />
      <DiscardDialog exam={exam} draft={draft} isOpen={dialog === 'discard'} onClose={close} />
    </section>
  )
}

/** Runs the step of a dialog, closes the dialog on success and loads the page again, also after a failure. */
function useFinalStep<Args extends readonly unknown[], Result>(
  send: (...args: Args) => Promise<Result>,
  onSuccess: (result: Result) => void,
) {
  const { revalidate } = useRevalidator()
  return useMutation(send, {
    revalidates: true,
    onSuccess: (result: Result, ..._args: Args) => onSuccess(result),
    onFailure: () => void revalidate(),
  })
}

type DialogState = { readonly isOpen: boolean; readonly onClose: () => void }

function PublishDialog({
  exam,
  onPublished,
  isOpen,
  onClose,
}: DialogState & { exam: ExamRecord; onPublished: OnPublished }) {
  const next = Math.max(...exam.versions.map(({ versionNumber }) => versionNumber)) + 1
  return (
    <Dialog title={fill(copy['exam.publish.title'], { n: next })} isOpen={isOpen} onClose={onClose}>
      {isOpen ? <PublishStep exam={exam} next={next} onPublished={onPublished} onClose={onClose} /> : null}
    </Dialog>
  )
}

function PublishStep({
  exam,
  next,
  onPublished,
  onClose,
}: {
  exam: ExamRecord
  next: number
  onPublished: OnPublished
  onClose: () => void
}) {
  const [changes, setChanges] = useState<DraftChanges | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  useEffect(() => {
    // The server compares the draft with the current version.
    let isGone = false
    getChanges(exam.id).then(
      (compared) => (isGone ? undefined : setChanges(compared)),
      (error: unknown) => (isGone ? undefined : setProblem(error)),
    )
    return () => {
      isGone = true
    }
  }, [exam.id])
  const publishing = useFinalStep(
    (version: number) => publishDraft(exam.id, version),
    ({ versionNumber }) => {
      onPublished(versionNumber)
      onClose()
    },
  )
  return (
    <>
      <DialogBody>
        <p>{copy['exam.publish.about']}</p>
        {changes === null ? null : <ChangeSummary changes={changes} />}
      </DialogBody>
      <DialogFooter problem={sentenceOf(publishing.failure ?? problem)} cancel={copy['exam.keep']} onCancel={onClose}>
        <Button
          disabled={changes === null || !isChanged(changes)}
          {...publishing.button}
          onClick={() => (changes === null ? undefined : publishing.run(changes.version))}
        >
          {fill(copy['exam.publish.now'], { n: next })}
        </Button>
      </DialogFooter>
    </>
  )
}

function DiscardDialog({ exam, draft, isOpen, onClose }: DialogState & { exam: ExamRecord; draft: DraftView }) {
  const discarding = useFinalStep(
    () => discardDraft(exam.id, draft.version),
    () => {
      toast('success', copy['exam.discarded'])
      onClose()
    },
  )
  const handleClose = () => {
    discarding.reset()
    onClose()
  }
  return (
    <Dialog title={copy['exam.discard.title']} isOpen={isOpen} onClose={handleClose}>
      <DialogBody>
        <p className="nums">{fill(copy['exam.discard.about'], { n: draft.fromVersion })}</p>
      </DialogBody>
      <DialogFooter problem={sentenceOf(discarding.failure)} cancel={copy['exam.keep']} onCancel={handleClose}>
        <Button look="danger" {...discarding.button} onClick={discarding.run}>
          {copy['exam.discard.now']}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

const sentenceOf = (failure: unknown) => (failure === null ? null : messageOf(failure))

function describeDraft({ fromVersion, updatedAt, updatedBy }: DraftView): string {
  const words = { n: fromVersion, at: formatInstant(updatedAt), name: updatedBy ?? '' }
  return fill(copy[updatedBy === null ? 'exam.draft.state' : 'exam.draft.state.by'], words)
}
