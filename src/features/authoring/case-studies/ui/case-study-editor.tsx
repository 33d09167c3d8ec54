import { useDeferredValue, useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { CallFailed } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/dialog-parts.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { LeaveGuard } from '../../../../ui/leave-guard.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { copy as shownCopy } from '../../../questions/case-studies/shown-case-study.copy.ts'
import { CaseStudyTabs } from '../../../questions/case-studies/ui/case-study-tabs.tsx'
import { copy as draftsCopy } from '../../drafts/drafts.copy.ts'
import { KeptFormNotice } from '../../drafts/ui/kept-form-notice.tsx'
import { shortcutOf } from '../../editor/question-editor.ts'
import type { CaseStudyForm, TabForm } from '../case-study-form.ts'
import { copy } from '../draft-case-studies.copy.ts'
import { CaseStudyView } from '../draft-case-studies.schema.ts'
import { useCaseStudyEditor, type CaseStudyEditorProps, type CaseStudyEditorState } from '../use-case-study-editor.ts'
import { TabFields, useTabs, type Tabs } from './tab-fields.tsx'

/** The form of one case study in the draft, with a preview of what learners will see. */
export function CaseStudyEditor(props: CaseStudyEditorProps) {
  const form = useRef<HTMLFormElement>(null)
  const editor = useCaseStudyEditor(props, form)
  const { values, change, kept, state } = editor
  const tabs = useTabs(values, change, form)
  const [isDeleting, setDeleting] = useState(false)
  const [previewedTab, setPreviewedTab] = useState<string | null>(null)
  useCaseStudyKeys(editor, tabs)
  const previewed = useDeferredValue(values)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    editor.save(false)
  }
  return (
    <div className="mt-6 grid gap-x-12 gap-y-10 desktop:grid-cols-2">
      <form ref={form} onSubmit={handleSubmit} noValidate className="min-w-0 space-y-6">
        <KeptFormNotice
          kept={kept}
          isOlder={kept !== null && kept.base !== state.version}
          older={copy['editor.kept.older']}
          takeUp={editor.takeUp}
          discard={editor.discard}
        />
        <SaveFailure editor={editor} />
        <Field
          label={copy['editor.title']}
          value={values.title}
          problem={editor.problemOf('title')}
          onChange={(event) => {
            const title = event.target.value
            change((now) => ({ ...now, title }), 'title')
          }}
        />
        <TabFields
          form={values}
          tabs={tabs}
          problem={editor.problemOf('tabs')}
          problemOf={editor.tabProblemOf}
          onChange={change}
          onFocus={setPreviewedTab}
        />
        <EditorActions editor={editor} onDelete={props.stored === null ? null : () => setDeleting(true)} />
      </form>
      <Preview form={previewed} chosen={previewedTab} onChoose={setPreviewedTab} />
      <LeaveGuard isUnsaved={editor.hasUnsaved} onSave={editor.saveAndReport} />
      <DeleteDialog editor={editor} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </div>
  )
}

/** The id of the tab whose fields hold the element. */
const tabAround = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tab]')?.dataset['tab'] : undefined

/** Save, undo and delete. `onDelete` is null for a new case study. */
function EditorActions({ editor, onDelete }: { editor: CaseStudyEditorState; onDelete: (() => void) | null }) {
  const { state, saving, step, hasUnsaved, isSaved } = editor
  const { past, future } = state.history
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-3 border-t border-line py-3">
      <Button type="submit" {...saving.button}>
        {draftsCopy['editor.save']}
      </Button>
      <Button look="quiet" disabled={past.length === 0} onClick={() => step('undo')}>
        {draftsCopy['editor.undo']}
      </Button>
      <Button look="quiet" disabled={future.length === 0} onClick={() => step('redo')}>
        {draftsCopy['editor.redo']}
      </Button>
      {onDelete === null ? null : (
        <Button look="quiet" className="max-tablet:-ml-4" disabled={saving.isBusy} onClick={onDelete}>
          {copy['editor.delete']}
        </Button>
      )}
      <p role="status" className="text-sm text-soft">
        {hasUnsaved ? draftsCopy['editor.state.typed'] : isSaved ? draftsCopy['editor.saved'] : ''}
      </p>
    </div>
  )
}

/** The case study as learners see it, open at the tab that is edited. */
function Preview({
  form,
  chosen,
  onChoose,
}: {
  form: CaseStudyForm
  chosen: string | null
  onChoose: (tabId: string) => void
}) {
  const title = form.title.trim() === '' ? copy['editor.untitled'] : form.title
  return (
    <section
      aria-label={draftsCopy['editor.preview']}
      className="flex min-w-0 flex-col desktop:sticky desktop:top-20 desktop:max-h-[calc(100dvh-6rem)] desktop:self-start"
    >
      <h2 className="text-sm font-semibold text-soft">{draftsCopy['editor.preview']}</h2>
      <div className="mt-3 flex min-h-0 flex-col rounded-lg border border-line bg-surface">
        <p className="px-4 pt-4 pb-1 font-semibold wrap-anywhere">{fill(shownCopy['case-study.title'], { title })}</p>
        <CaseStudyTabs caseStudy={withTabNames(form)} chosenId={chosen} onChoose={onChoose} className="px-3" />
      </div>
    </section>
  )
}

/** Each tab of the preview has a name, also before its author gave it one. */
function withTabNames(form: CaseStudyForm): CaseStudyForm {
  const named = (tab: TabForm, place: number) =>
    tab.title.trim() === '' ? { ...tab, title: fill(copy['editor.tab'], { n: place + 1 }) } : tab
  return { ...form, tabs: form.tabs.map(named) }
}

/** The shortcuts of the question editor that a case study has: saving, undoing, adding and moving tabs. */
function useCaseStudyKeys(editor: CaseStudyEditorState, tabs: Tabs): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    if (target instanceof Element && target.closest('dialog') !== null) return
    const shortcut = shortcutOf(event, true)
    if (shortcut?.kind === 'save') editor.save(true)
    else if (shortcut?.kind === 'undo' || shortcut?.kind === 'redo') editor.step(shortcut.kind)
    else if (shortcut?.kind === 'add-part') tabs.add()
    else if (shortcut?.kind === 'move-part') {
      const place = editor.values.tabs.findIndex(({ id }) => id === tabAround(target))
      if (place === -1) return
      tabs.move(place, shortcut.by, target instanceof HTMLTextAreaElement ? 'textarea' : 'input')
    } else return
    event.preventDefault()
  })
  useEffect(() => {
    // Shortcuts work wherever the focus is.
    const handle = (event: KeyboardEvent) => handleKey(event)
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [])
}

/** Why the last save failed; after a conflict also what is stored now, and the two ways on. */
function SaveFailure({ editor: { failure, reload, overwrite } }: { editor: CaseStudyEditorState }) {
  if (failure === null) return null
  const conflict = CaseStudyView.safeParse(failure.facts['stored'])
  return (
    <Notice tone="bad">
      <p>{failure.message}</p>
      {failure.status === 0 ? <p>{draftsCopy['editor.kept.here']}</p> : null}
      {conflict.success ? (
        <>
          <div className="mt-3 rounded-md bg-surface p-4 text-ink">
            <p className="text-sm font-semibold text-soft">{draftsCopy['editor.conflict.stored']}</p>
            <p className="mt-2 font-semibold wrap-anywhere">{conflict.data.caseStudy.title}</p>
            <CaseStudyTabs caseStudy={conflict.data.caseStudy} className="mt-1" />
          </div>
          <p className="mt-3">{draftsCopy['editor.conflict.kept']}</p>
          <div className="mt-3 flex flex-wrap gap-3">
            <Button look="secondary" onClick={() => overwrite(conflict.data)}>
              {draftsCopy['editor.conflict.mine']}
            </Button>
            <Button look="secondary" onClick={() => reload(conflict.data)}>
              {draftsCopy['editor.conflict.take']}
            </Button>
          </div>
        </>
      ) : null}
    </Notice>
  )
}

function DeleteDialog({
  editor: { stored, deleting, values },
  isOpen,
  onClose,
}: {
  editor: CaseStudyEditorState
  isOpen: boolean
  onClose: () => void
}) {
  if (stored === null) return null
  const { failure } = deleting
  const handleClose = () => {
    deleting.reset()
    onClose()
  }
  return (
    <Dialog title={copy['editor.delete.title']} isOpen={isOpen} onClose={handleClose}>
      <DialogBody>
        <p className="font-semibold wrap-anywhere">{values.title}</p>
        <p className="mt-1">{copy['editor.delete.about']}</p>
      </DialogBody>
      <DialogFooter
        cancel={draftsCopy['exam.keep']}
        onCancel={handleClose}
        problem={failure instanceof CallFailed ? failure.message : null}
      >
        <Button look="danger" {...deleting.button} onClick={() => deleting.run(stored)}>
          {copy['editor.delete.now']}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
