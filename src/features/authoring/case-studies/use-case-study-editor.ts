import { useEffect, useReducer, useState, type RefObject } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import { discardUnsavedText, storeUnsavedText, typedKey, useTyped } from '../../../platform/unsaved-text-client.ts'
import { toast } from '../../../ui/toasts.tsx'
import { useFirstProblem } from '../../../ui/use-first-problem.ts'
import { useMutation } from '../../../ui/use-mutation.ts'
import { offerUndo } from '../batch/batch-client.ts'
import { copy as draftsCopy } from '../drafts/drafts.copy.ts'
import { useSavingWhenOnline } from '../editor/use-saving-when-online.ts'
import { beginEditor, isSameForm, isUnsaved, reduceEditor, type EditorState } from './case-study-editor-state.ts'
import { CaseStudyForm, toCaseStudyEdit, toCaseStudyForm } from './case-study-form.ts'
import { addCaseStudy, changeCaseStudy, deleteCaseStudy } from './draft-case-studies-client.ts'
import { copy } from './draft-case-studies.copy.ts'
import type { CaseStudyView } from './draft-case-studies.schema.ts'

export type CaseStudyEditorProps = {
  readonly examId: string
  readonly adminId: string
  /** Null for a new case study. */
  readonly stored: CaseStudyView | null
}

type Save = {
  /** Whether the page stays, instead of going back to the exam. */
  readonly isStaying: boolean
  /** The version to replace, where it is not the one that was opened. */
  readonly version?: number
  /** Reports the outcome to a caller that waits for it. */
  readonly onSettled?: (isSaved: boolean) => void
}

/** The form of a case study: its changes, its text on the device, saving, deleting and leaving. */
export function useCaseStudyEditor(props: CaseStudyEditorProps, form: RefObject<HTMLFormElement | null>) {
  const { examId, stored } = props
  const [state, dispatch] = useReducer(reduceEditor, null, () => beginEditor(stored, `cs-${crypto.randomUUID()}`))
  const values = state.history.now
  const hasUnsaved = isUnsaved(state)
  const { kept, discard } = useUnsavedCaseStudy(props, state)
  const [isSaved, setSaved] = useState(false)
  const leaveTo = useLeavingWhenSaved(hasUnsaved)
  const { revalidate } = useRevalidator()
  const forgetUnsaved = (saved: CaseStudyForm, version: number) => {
    discard()
    dispatch({ kind: 'saved', form: saved, version })
  }
  const { saving, save, saveAndReport, sentTabs } = useSaving(examId, state, ({ sent, saved }, { isStaying }) => {
    forgetUnsaved(sent, saved.version)
    setSaved(true)
    if (!isStaying) leaveTo(adminPaths.exam(examId))
    else if (stored === null) leaveTo(adminPaths.caseStudy(examId, saved.caseStudy.id))
    else void revalidate()
  })
  const deleting = useDeleting(examId, () => {
    forgetUnsaved(values, state.version ?? 0)
    leaveTo(adminPaths.exam(examId))
  })
  const failure = saving.failure instanceof CallFailed ? saving.failure : null
  useFirstProblem(form, failure)
  useSavingWhenOnline(failure?.status === 0 && hasUnsaved, () => save({ isStaying: true }))
  const problemOf = (field: string) => failure?.problemOf(field) ?? failure?.problemOf(`caseStudy.${field}`)
  return {
    stored,
    state,
    values,
    kept,
    discard,
    hasUnsaved,
    /** Whether the latest change was a save of this page. */
    isSaved: isSaved && !hasUnsaved,
    failure,
    saving,
    deleting,
    problemOf,
    /** The problem of a tab, which may have been moved since the save. */
    tabProblemOf: (tabId: string, field: 'title' | 'body') => problemOf(`tabs.${sentTabs.indexOf(tabId)}.${field}`),
    /** @param field the field that is typed in: continued typing is one step of the undo */
    change: (update: (form: CaseStudyForm) => CaseStudyForm, field: string | null = null) =>
      dispatch({ kind: 'change', update, field, at: Date.now() }),
    step: (kind: 'undo' | 'redo') => dispatch({ kind }),
    takeUp: () => kept !== null && dispatch({ kind: 'resume', form: kept.value, base: kept.base, at: Date.now() }),
    save: (isStaying: boolean) => save({ isStaying }),
    saveAndReport,
    overwrite({ version }: CaseStudyView) {
      dispatch({ kind: 'overwrite', version })
      save({ isStaying: false, version })
    },
    reload(theirs: CaseStudyView) {
      discard()
      saving.reset()
      dispatch({ kind: 'reload', stored: theirs })
    },
  }
}
export type CaseStudyEditorState = ReturnType<typeof useCaseStudyEditor>

type Saved = { readonly sent: CaseStudyForm; readonly saved: CaseStudyView }

function useSaving(examId: string, state: EditorState, onSaved: (saved: Saved, request: Save) => void) {
  // The server names tabs by their places; the ids say which tabs it meant.
  const [sentTabs, setSentTabs] = useState<readonly string[]>([])
  const send = async ({ version = state.version ?? undefined }: Save): Promise<Saved> => {
    const sent = state.history.now
    setSentTabs(sent.tabs.map(({ id }) => id))
    const edit = toCaseStudyEdit(sent)
    const saved = await (version === undefined
      ? addCaseStudy(examId, edit, sent.id)
      : changeCaseStudy(examId, sent.id, edit, version))
    return { sent, saved }
  }
  const saving = useMutation(send, {
    onSuccess(result, request) {
      toast('success', draftsCopy['editor.saved'])
      onSaved(result, request)
      request.onSettled?.(true)
    },
    onFailure(error, { onSettled }) {
      showUnexpected(error)
      onSettled?.(false)
    },
  })
  return {
    saving,
    sentTabs,
    save: (request: Save) => saving.run(request),
    /** Saves and stays; resolves to whether it worked. */
    saveAndReport: () =>
      saving.isBusy
        ? Promise.resolve(false)
        : new Promise<boolean>((onSettled) => saving.run({ isStaying: true, onSettled })),
  }
}

function useDeleting(examId: string, onDeleted: () => void) {
  const remove = async ({ caseStudy, version }: CaseStudyView) => {
    await deleteCaseStudy(examId, caseStudy.id, version)
    return toCaseStudyForm(caseStudy)
  }
  return useMutation(remove, {
    onSuccess(deleted) {
      const said = copy['editor.deleted']
      offerUndo({ examId, said, run: () => addCaseStudy(examId, toCaseStudyEdit(deleted), deleted.id) })
      toast('success', said)
      onDeleted()
    },
    onFailure: showUnexpected,
  })
}

/** Failures of calls show in the form; everything else as a toast. */
function showUnexpected(error: unknown): void {
  if (!(error instanceof CallFailed)) toast('error', draftsCopy['editor.save'], messageOf(error))
}

/** Stores the form on the device with each change, and offers what an earlier visit left there. */
function useUnsavedCaseStudy(
  { adminId, examId, stored }: CaseStudyEditorProps,
  { history: { now }, saved, version, isTouched }: EditorState,
) {
  const key = typedKey(adminId, `case-study.${examId}.${stored?.caseStudy.id ?? 'new'}`)
  const onDevice = useTyped(key, CaseStudyForm)
  useEffect(() => {
    // Unsaved text is stored in the browser.
    if (!isTouched) return
    if (isSameForm(now, saved)) discardUnsavedText(key)
    else storeUnsavedText(key, now, version)
  }, [key, now, saved, version, isTouched])
  const isOffered = !isTouched && onDevice !== null && !isSameForm(onDevice.value, saved)
  return { kept: isOffered ? onDevice : null, discard: () => discardUnsavedText(key) }
}

/** Navigates once nothing is unsaved: LeaveGuard blocks until it has rendered the saved state. */
function useLeavingWhenSaved(hasUnsaved: boolean) {
  const navigate = useNavigate()
  const [path, leaveTo] = useState<string | null>(null)
  useEffect(() => {
    // Navigate only after the saved state has been rendered.
    if (path !== null && !hasUnsaved) void navigate(path)
  }, [path, hasUnsaved, navigate])
  return leaveTo
}
