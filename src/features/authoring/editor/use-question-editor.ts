import { useEffect, useEffectEvent, useReducer, useState, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import { discardUnsavedText, storeUnsavedText, typedKey, useTyped } from '../../../platform/unsaved-text-client.ts'
import { toast } from '../../../ui/toasts.tsx'
import { useFirstProblem } from '../../../ui/use-first-problem.ts'
import { useMutation } from '../../../ui/use-mutation.ts'
import { offerUndo, removeQuestions, restoreQuestions } from '../batch/batch-client.ts'
import { addQuestion, changeQuestion } from '../drafts/drafts-client.ts'
import { copy } from '../drafts/drafts.copy.ts'
import type { DraftQuestionView, SavedQuestion } from '../drafts/drafts.schema.ts'
import { isSame, toQuestionEdit } from './question-editor.ts'
import { beginEditor, isUnsaved, reduceEditor, type EditorAction, type EditorState } from './question-editor-state.ts'
import { EditedQuestion } from './question-editor.schema.ts'

export type EditorProps = {
  readonly examId: string
  readonly adminId: string
  /** Null for a new question. */
  readonly stored: DraftQuestionView | null
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
export type EditorChange = EditorAction extends infer Action
  ? Action extends object
    ? Omit<Action, 'at'>
    : never
  : never

const newQuestionId = () => `q-${crypto.randomUUID()}`

/** The state of the question form: its changes, its text on the device, saving, deleting and leaving. */
export function useQuestionEditor(props: EditorProps, form: RefObject<HTMLFormElement | null>) {
  const { examId, adminId, stored, neighbours, backTo, listState } = props
  const [state, dispatch] = useReducer(reduceEditor, null, () => beginEditor(stored, newQuestionId()))
  const question = state.history.now
  const hasUnsaved = isUnsaved(state)
  const change = (action: EditorChange) => dispatch({ ...action, at: Date.now() } as EditorAction)
  const { unsavedText, discard } = useUnsavedQuestion(
    typedKey(adminId, `question.${examId}.${stored?.question.id ?? 'new'}`),
    state,
  )
  const { leaveTo, goTo } = useLeaving(hasUnsaved, listState)

  const leave = (destination: Destination, savedId: string) => {
    if (destination === 'back') leaveTo(backTo)
    else if (destination === 'stay') leaveTo(stored === null ? paths.adminQuestion(examId, savedId) : null)
    else if (stored !== null)
      leaveTo(neighbours.next === null ? paths.adminNewQuestion(examId) : paths.adminQuestion(examId, neighbours.next))
    else {
      dispatch({ kind: 'begin-next', newId: newQuestionId() })
      form.current?.querySelector<HTMLElement>('textarea')?.focus()
    }
  }
  const saving = useSaving(props, state, ({ edited, saved }, { destination, onSettled }) => {
    discard()
    dispatch({ kind: 'saved', question: edited, version: saved.version })
    leave(destination, saved.question.id)
    onSettled?.(true)
  })
  const deleting = useDeleting(examId, () => {
    discard()
    dispatch({ kind: 'saved', question, version: state.version })
    leaveTo(backTo)
  })
  const thrown = saving.failure ?? deleting.failure
  const failure = thrown instanceof CallFailed ? thrown : null
  useFirstProblem(form, failure)
  useFocusedOption(form, state.focusedOption)
  const save = (request: Save) => {
    deleting.reset()
    saving.run(request)
  }
  useSavingWhenOnline(failure?.status === 0 && hasUnsaved, () => save({ destination: 'stay' }))

  return {
    state,
    question,
    hasUnsaved,
    unsavedText,
    failure,
    saving,
    change,
    discard,
    save: (destination: Destination) => save({ destination }),
    /** Saves and stays; says whether it worked. */
    saveAndReport: () =>
      saving.isBusy
        ? Promise.resolve(false)
        : new Promise<boolean>((onSettled) => save({ destination: 'stay', onSettled })),
    reload: (theirs: DraftQuestionView) => {
      discard()
      saving.reset()
      dispatch({ kind: 'reload', stored: theirs })
    },
    overwrite: ({ version }: DraftQuestionView) => {
      dispatch({ kind: 'overwrite', version })
      save({ destination: 'back', version })
    },
    deleteQuestion: () => {
      saving.reset()
      if (stored !== null) deleting.run(stored.question.id)
    },
    goToNeighbour: (by: 1 | -1) => {
      const id = by === -1 ? neighbours.previous : neighbours.next
      if (id !== null) goTo(paths.adminQuestion(examId, id))
    },
  }
}
export type QuestionEditorState = ReturnType<typeof useQuestionEditor>

type Saved = { readonly edited: EditedQuestion; readonly saved: SavedQuestion }

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
function useUnsavedQuestion(key: string, { history, saved, version, isTouched }: EditorState) {
  const question = history.now
  const onDevice = useTyped(key, EditedQuestion)
  useEffect(() => {
    // Outside: the storage of the browser.
    if (!isTouched) return
    if (isSame(question, saved)) discardUnsavedText(key)
    else storeUnsavedText(key, question, version)
  }, [key, question, saved, version, isTouched])
  const isOffered = !isTouched && onDevice !== null && !isSame(onDevice.value, saved)
  return { unsavedText: isOffered ? onDevice : null, discard: () => discardUnsavedText(key) }
}

/** `leaveTo` waits until nothing is unsaved: LeaveGuard blocks until it has rendered the saved state. `goTo` does not wait. */
function useLeaving(hasUnsaved: boolean, listState: object | null) {
  const navigate = useNavigate()
  const [destination, leaveTo] = useState<string | null>(null)
  useEffect(() => {
    // Outside: the router.
    if (destination !== null && !hasUnsaved) void navigate(destination, { state: listState })
  }, [destination, hasUnsaved, navigate, listState])
  return { leaveTo, goTo: (path: string) => void navigate(path, { state: listState }) }
}

function useFocusedOption(form: RefObject<HTMLElement | null>, focusedOption: EditorState['focusedOption']): void {
  useEffect(() => {
    // Outside: the focus goes to the option that was added or moved.
    if (focusedOption === null) return
    form.current?.querySelector<HTMLElement>(`[data-option="${CSS.escape(focusedOption.key)}"] textarea`)?.focus()
  }, [form, focusedOption])
}

function useSavingWhenOnline(isCutOff: boolean, save: () => void): void {
  const handleOnline = useEffectEvent(save)
  useEffect(() => {
    // Outside: the network. A save that failed offline is sent again.
    if (!isCutOff) return
    const handle = () => handleOnline()
    window.addEventListener('online', handle)
    return () => window.removeEventListener('online', handle)
  }, [isCutOff])
}
