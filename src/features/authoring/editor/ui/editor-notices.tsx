import { fill } from '../../../../lib/failure.ts'
import { formatInstant } from '../../../../lib/time.ts'
import { toEdited } from '../../../questions/types/edit-registry.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { copy } from '../../drafts/drafts.copy.ts'
import { KeptFormNotice } from '../../drafts/ui/kept-form-notice.tsx'
import { DraftQuestionView } from '../../drafts/drafts.schema.ts'
import type { QuestionEditorState } from '../use-question-editor.ts'
import { QuestionPreview } from './question-preview.tsx'

/** Offers the text that an earlier visit left on the device. */
export function UnsavedTextNotice({ editor }: { editor: QuestionEditorState }) {
  const { unsavedText, state, change, discard } = editor
  return (
    <KeptFormNotice
      kept={unsavedText}
      isOlder={unsavedText?.base !== state.version}
      older={copy['editor.kept.older']}
      takeUp={() =>
        unsavedText !== null && change({ kind: 'resume', question: unsavedText.value, base: unsavedText.base })
      }
      discard={discard}
    />
  )
}

/** Why the last save failed; after a conflict also what is stored now, and the two ways on. */
export function SaveFailure({ editor }: { editor: QuestionEditorState }) {
  const { failure, reload, overwrite } = editor
  if (failure === null) return null
  const conflict = DraftQuestionView.safeParse(failure.facts['stored'])
  return (
    <Notice tone="bad">
      <p>{failure.message}</p>
      {failure.status === 0 ? <p>{copy['editor.kept.here']}</p> : null}
      {conflict.success ? (
        <Conflict
          stored={conflict.data}
          onReload={() => reload(conflict.data)}
          onOverwrite={() => overwrite(conflict.data)}
        />
      ) : null}
    </Notice>
  )
}

function Conflict({
  stored,
  onReload,
  onOverwrite,
}: {
  stored: DraftQuestionView
  onReload: () => void
  onOverwrite: () => void
}) {
  const change = { name: stored.updatedBy ?? copy['editor.conflict.somebody'], at: formatInstant(stored.updatedAt) }
  return (
    <>
      <p className="mt-1">{fill(copy['editor.conflict'], change)}</p>
      <div className="mt-3 rounded-md bg-surface p-4 text-ink">
        <QuestionPreview title={copy['editor.conflict.stored']} question={toEdited(stored.question)} />
      </div>
      <p className="mt-3">{copy['editor.conflict.kept']}</p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button look="secondary" onClick={onOverwrite}>
          {copy['editor.conflict.mine']}
        </Button>
        <Button look="secondary" onClick={onReload}>
          {copy['editor.conflict.take']}
        </Button>
      </div>
    </>
  )
}
