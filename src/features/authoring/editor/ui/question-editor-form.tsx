import { useDeferredValue, useRef, useState, type FormEvent } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { LeaveGuard } from '../../../../ui/leave-guard.tsx'
import type { CaseStudy } from '../../../questions/case-studies/case-study.schema.ts'
import { copy } from '../../drafts/drafts.copy.ts'
import { useEditorShortcuts } from '../use-editor-shortcuts.ts'
import { useQuestionEditor, type EditorProps } from '../use-question-editor.ts'
import { DeleteQuestionDialog, EditorActions } from './editor-actions.tsx'
import { SaveFailure, UnsavedTextNotice } from './editor-notices.tsx'
import { EditorShortcuts } from './editor-shortcuts.tsx'
import { QuestionFields } from './question-fields.tsx'
import { QuestionPreview } from './question-preview.tsx'

/** The form of one question in the draft, with a preview of what learners will see. */
export function QuestionEditor({
  domains,
  caseStudies,
  ...props
}: EditorProps & { domains: readonly string[]; caseStudies: readonly CaseStudy[] }) {
  const form = useRef<HTMLFormElement>(null)
  const editor = useQuestionEditor(props, form)
  const [hasPreview, setPreview] = useState(true)
  const [dialog, setDialog] = useState<'shortcuts' | 'delete' | null>(null)
  const closeDialog = () => setDialog(null)
  const togglePreview = () => setPreview(!hasPreview)
  useEditorShortcuts(editor, { onTogglePreview: togglePreview, onHelp: () => setDialog('shortcuts') })
  const previewed = useDeferredValue(editor.question)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    editor.save('back')
  }
  return (
    <div className={`mt-6 grid gap-x-12 gap-y-10 ${hasPreview ? 'desktop:grid-cols-2' : 'max-w-exam'}`}>
      <form ref={form} onSubmit={handleSubmit} noValidate className="min-w-0 space-y-6">
        <UnsavedTextNotice editor={editor} />
        <SaveFailure editor={editor} />
        <QuestionFields editor={editor} domains={domains} caseStudies={caseStudies} />
        <EditorActions editor={editor} onDelete={props.stored === null ? null : () => setDialog('delete')} />
      </form>
      <div className="min-w-0">
        <div className="mb-4 -ml-4 flex flex-wrap">
          <Button look="quiet" aria-pressed={hasPreview} onClick={togglePreview}>
            {copy[hasPreview ? 'editor.preview.hide' : 'editor.preview.show']}
          </Button>
          <Button look="quiet" onClick={() => setDialog('shortcuts')}>
            {copy['editor.keys']}
          </Button>
        </div>
        {hasPreview ? (
          <QuestionPreview
            title={copy['editor.preview']}
            question={previewed}
            caseStudy={caseStudies.find(({ id }) => id === previewed.caseStudy)}
          />
        ) : null}
      </div>
      <EditorShortcuts type={editor.question.type} isOpen={dialog === 'shortcuts'} onClose={closeDialog} />
      <LeaveGuard isUnsaved={editor.hasUnsaved} onSave={editor.saveAndReport} />
      <DeleteQuestionDialog isOpen={dialog === 'delete'} onClose={closeDialog} onDelete={editor.deleteQuestion} />
    </div>
  )
}
