import { useEffect, useReducer, useState, type RefObject } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { isSameEdit, toQuestionEdit } from '../../questions/types/edit-registry.ts'
import { EditedQuestion } from '../../questions/types/question-edit.schema.ts'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import { discardUnsavedText, storeUnsavedText, typedKey, useTyped } from '../../../platform/unsaved-text-client.ts'
import { toast } from '../../../ui/toasts.tsx'
import { useFirstProblem } from '../../../ui/use-first-problem.ts'
import { useMutation } from '../../../ui/use-mutation.ts'
import { offerUndo, removeQuestions, restoreQuestions } from '../batch/batch-client.ts'
import { addQuestion, changeQuestion } from '../drafts/drafts-client.ts'
import { copy } from '../drafts/drafts.copy.ts'
import type { DraftQuestionView, SavedQuestion } from '../drafts/drafts.schema.ts'
import { beginEditor, isUnsaved, reduceEditor, type EditorAction, type EditorState } from './question-editor-state.ts'
import { useSavingWhenOnline } from './use-saving-when-online.ts'

export type EditorProps = {
  readonly examId: string
  readonly adminId: string
  /** Null for a new question. */
  readonly stored: DraftQuestionView | null
  /** The case study that a new question begins with. */
  readonly caseStudy?: string | null
  readonly neighbours: { readonly previous: string | null; readonly next: string | null }
  readonly backTo: string
  /** Goes along to the next question, so that its back link leads to the same list. */
  readonly listState: object | null
}

/** Where the page goes after saving: back to the list, to the next question, or nowhere. */
type Destination = 'back' | 'next' | 'stay'
type Save = {
  readonly destination: Destination
  /** The version to replace, where it is not the one that was opened. */
  readonly version?: number
  /** Reports the outcome to a caller that waits for it. */
  readonly onSettled?: (isSaved: boolean) => void
}
/** An action of the form, without the time, which is added here. */
type EditorChange = EditorAction extends infer Action ? (Action extends object ? Omit<Action, 'at'> : never) : never

const newQuestionId = () => `q-${crypto.randomUUID()}`

/** The state of the question form: its changes, its text on the device, saving, deleting and leaving. */
export function useQuestionEditor(props: EditorProps, form: RefObject<HTMLFormElement | null>) {
  const { stored, caseStudy } = props
  const [state, dispatch] = useReducer(reduceEditor, null, () => beginEditor(stored, newQuestionId(), caseStudy))
  const question = state.history.now
  const hasUnsaved = isUnsaved(state)
  const change = (action: EditorChange) => dispatch({ ...action, at: Date.now() } as EditorAction)
  const { unsavedText, discard } = useUnsavedQuestion(props, state)
  const { revalidate } = useRevalidator()
  const [isSaved, setSaved] = useState(false)
  const { leave, leaveTo, goToNeighbour } = useLeaving(props, hasUnsaved, () => {
    // The page stays; the number of questions above the form has changed.
    void revalidate()
    dispatch({ kind: 'begin-next', newId: newQuestionId() })
  })
  const forgetUnsaved = (question: EditedQuestion, version: number) => {
    discard()
    dispatch({ kind: 'saved', question, version })
  }
  const { saving, failure, save, saveAndReport, deleteQuestion } = useRequests(props, state, {
    onSaved: ({ edited, saved }, { destination, onSettled }) => {
      forgetUnsaved(edited, saved.version)
      setSaved(true)
      leave(destination, saved.question.id)
      onSettled?.(true)
    },
    onDeleted: () => {
      forgetUnsaved(question, state.version)
      leaveTo(props.backTo)
    },
  })
  useFirstProblem(form, failure)
  useFocusedPart(form, state.focusedPart)
  useSavingWhenOnline(failure?.status === 0 && hasUnsaved, () => save({ destination: 'stay' }))

  return {
    state,
    question,
    hasUnsaved,
    /** Whether the latest change was a save of this page. */
    isSaved: isSaved && !hasUnsaved,
    unsavedText,
    failure,
    saving,
    change,
    discard,
    save: (destination: Destination) => save({ destination }),
    saveAndReport,
    deleteQuestion,
    reload: (theirs: DraftQuestionView) => {
      discard()
      saving.reset()
      dispatch({ kind: 'reload', stored: theirs })
    },
    overwrite: ({ version }: DraftQuestionView) => {
      dispatch({ kind: 'overwrite', version })
      save({ destination: 'back', version })
    },
    goToNeighbour,
  }
}
export type QuestionEditorState = ReturnType<typeof useQuestionEditor>

type Saved = { readonly edited: EditedQuestion; readonly saved: SavedQuestion }

/** Saving and deleting. Each forgets the other's failure, so that the form shows only the latest. */
function useRequests(
  props: EditorProps,
  state: EditorState,
  { onSaved, onDeleted }: { onSaved: (saved: Saved, request: Save) => void; onDeleted: () => void },
) {
  const saving = useSaving(props, state, onSaved)
  const deleting = useDeleting(props.examId, onDeleted)
  const save = (request: Save) => {
    deleting.reset()
    saving.run(request)
  }
  return {
    saving,
    failure: [saving.failure, deleting.failure].find((thrown) => thrown instanceof CallFailed) ?? null,
    save,
    /** Saves and stays; resolves to whether it worked. */
    saveAndReport: () =>
      saving.isBusy
        ? Promise.resolve(false)
        : new Promise<boolean>((onSettled) => save({ destination: 'stay', onSettled })),
    deleteQuestion: () => {
      saving.reset()
      if (props.stored !== null) deleting.run(props.stored.question.id)
    },
  }
}

function useSaving(
  { examId, stored }: EditorProps,
  state: EditorState,
  onSaved: (saved: Saved, request: Save) => void,
) {
  const send = async ({ version = state.version }: Save): Promise<Saved> => {
    const edited = state.history.now
    const edit = toQuestionEdit(edited)
    const saved = await (stored === null
      ? addQuestion(examId, edit, edited.newId ?? newQuestionId())
      : changeQuestion(examId, stored.question.id, edit, version))
    return { edited, saved }
  }
  return useMutation(send, {
    onSuccess: (result, request) => {
      const { notes } = result.saved
      if (notes.length === 0) toast('success', copy['editor.saved'])
      else toast('warning', copy['editor.noted'], notes.map(({ sentence }) => sentence).join(' '))
      onSaved(result, request)
    },
    onFailure: (error, { onSettled }) => {
      showUnexpected(error)
      onSettled?.(false)
    },
  })
}

function useDeleting(examId: string, onDeleted: () => void) {
  return useMutation((questionId: string) => removeQuestions(examId, [questionId]), {
    onSuccess: ({ taken }) => {
      offerUndo({ examId, said: copy['editor.deleted'], run: () => restoreQuestions(examId, taken) })
      toast('success', copy['editor.deleted'])
      onDeleted()
    },
    onFailure: showUnexpected,
  })
}

/** Failures of calls show in the form; everything else as a toast. */
function showUnexpected(error: unknown): void {
  if (!(error instanceof CallFailed)) toast('error', copy['editor.save'], messageOf(error))
}

/** Stores the form on the device with each change, and offers what an earlier visit left there. */
function useUnsavedQuestion(
  { adminId, examId, stored }: EditorProps,
  { history, saved, version, isTouched }: EditorState,
) {
  const key = typedKey(adminId, `question.${examId}.${stored?.question.id ?? 'new'}`)
  const question = history.now
  const onDevice = useTyped(key, EditedQuestion)
  useEffect(() => {
    // Unsaved text is stored in the browser.
    if (!isTouched) return
    if (isSameEdit(question, saved)) discardUnsavedText(key)
    else storeUnsavedText(key, question, version)
  }, [key, question, saved, version, isTouched])
  const isOffered = !isTouched && onDevice !== null && !isSameEdit(onDevice.value, saved)
  return { unsavedText: isOffered ? onDevice : null, discard: () => discardUnsavedText(key) }
}

/** `leave` and `leaveTo` wait until nothing is unsaved: LeaveGuard blocks until it has rendered the saved state. */
function useLeaving(
  { examId, stored, neighbours, backTo, listState }: EditorProps,
  hasUnsaved: boolean,
  onNextNew: () => void,
) {
  const navigate = useNavigate()
  const [path, leaveTo] = useState<string | null>(null)
  useEffect(() => {
    // Navigate only after the saved state has been rendered.
    if (path !== null && !hasUnsaved) void navigate(path, { state: listState })
  }, [path, hasUnsaved, navigate, listState])
  return {
    leaveTo,
    leave: (destination: Destination, savedId: string) => {
      if (destination === 'back') leaveTo(backTo)
      else if (destination === 'stay') leaveTo(stored === null ? adminPaths.question(examId, savedId) : null)
      else if (stored === null) onNextNew()
      else if (neighbours.next === null) leaveTo(adminPaths.newQuestion(examId))
      else leaveTo(adminPaths.question(examId, neighbours.next))
    },
    /** Does not wait, so that LeaveGuard asks about unsaved changes. */
    goToNeighbour: (by: 1 | -1) => {
      const id = by === -1 ? neighbours.previous : neighbours.next
      if (id !== null) void navigate(adminPaths.question(examId, id), { state: listState })
    },
  }
}

function useFocusedPart(form: RefObject<HTMLElement | null>, focusedPart: EditorState['focusedPart']): void {
  useEffect(() => {
    // Focus the row that was added or moved, or the first text of another new question.
    if (focusedPart === null) return
    const row = focusedPart.key === null ? '' : `[data-part="${CSS.escape(focusedPart.key)}"]`
    form.current?.querySelector<HTMLElement>(`${row} textarea`)?.focus()
  }, [form, focusedPart])
}
