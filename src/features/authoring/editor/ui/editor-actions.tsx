import { Button } from '../../../../ui/button.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/dialog-parts.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { copy } from '../../drafts/drafts.copy.ts'
import type { QuestionEditorState } from '../use-question-editor.ts'

/** Save, undo and delete. `onDelete` is null for a new question. */
export function EditorActions({ editor, onDelete }: { editor: QuestionEditorState; onDelete: (() => void) | null }) {
  const { state, saving, change, save, hasUnsaved, isSaved } = editor
  const { past, future } = state.history
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line bg-paper py-3 desktop:sticky desktop:bottom-0">
      <Button type="submit" {...saving.button}>
        {copy['editor.save']}
      </Button>
      <Button look="secondary" {...saving.button} onClick={() => save('next')}>
        {copy['editor.save.next']}
      </Button>
      <Button
        look="quiet"
        className="max-tablet:-ml-4"
        disabled={past.length === 0}
        onClick={() => change({ kind: 'undo' })}
      >
        {copy['editor.undo']}
      </Button>
      <Button look="quiet" disabled={future.length === 0} onClick={() => change({ kind: 'redo' })}>
        {copy['editor.redo']}
      </Button>
      {onDelete === null ? null : (
        <Button look="quiet" disabled={saving.isBusy} onClick={onDelete}>
          {copy['editor.delete']}
        </Button>
      )}
      <p role="status" className="text-sm text-soft">
        {hasUnsaved ? copy['editor.state.typed'] : isSaved ? copy['editor.saved'] : ''}
      </p>
    </div>
  )
}

export function DeleteQuestionDialog({
  isOpen,
  onClose,
  onDelete,
}: {
  isOpen: boolean
  onClose: () => void
  onDelete: () => void
}) {
  const handleDelete = () => {
    onClose()
    onDelete()
  }
  return (
    <Dialog title={copy['editor.delete.title']} isOpen={isOpen} onClose={onClose}>
      <DialogBody>
        <p>{copy['editor.delete.about']}</p>
      </DialogBody>
      <DialogFooter cancel={copy['exam.keep']} onCancel={onClose}>
        <Button look="danger" onClick={handleDelete}>
          {copy['editor.delete.now']}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
