import { MAX_OPTIONS, MIN_OPTIONS, type Question } from '../../questions/questions.schema.ts'
import {
  beginHistory,
  emptyOption,
  emptyQuestion,
  isSame,
  moveOption,
  redo,
  toEdited,
  undo,
  withChange,
  type History,
} from './question-editor.ts'
import type { EditedOption, EditedQuestion } from './question-editor.schema.ts'

/** A question of the draft with the version that a save must name; null while the question is new. */
type StoredQuestion = { readonly question: Question; readonly version: number }

export type EditorState = {
  readonly history: History
  /** The form as it was last saved, or as it began. */
  readonly saved: EditedQuestion
  /** The version of the stored question that the next save replaces; 0 for a new question. */
  readonly version: number
  /** Whether this form was changed since it was opened. Until then, text stored on the device is from an earlier visit. */
  readonly isTouched: boolean
  /** The option that receives the focus. Each change that moves the focus makes a new object. */
  readonly focusedOption: { readonly key: string } | null
}

/** `at` is the time of a change in epoch milliseconds. */
export type EditorAction =
  | {
      readonly kind: 'change'
      readonly changed: Partial<EditedQuestion>
      readonly field?: string | null
      readonly at: number
    }
  | {
      readonly kind: 'change-option'
      readonly place: number
      readonly changed: Partial<EditedOption>
      /** Whether the text was typed, so that continued typing is one step. */
      readonly isTyped?: boolean
      readonly at: number
    }
  | { readonly kind: 'add-option'; readonly at: number }
  | { readonly kind: 'remove-option'; readonly place: number; readonly at: number }
  | { readonly kind: 'move-option'; readonly place: number; readonly by: 1 | -1; readonly at: number }
  | { readonly kind: 'undo' | 'redo' }
  /** The server stored `question` as `version`. */
  | { readonly kind: 'saved'; readonly question: EditedQuestion; readonly version: number }
  /** The next save replaces `version`, which somebody else stored. */
  | { readonly kind: 'overwrite'; readonly version: number }
  /** The form shows what somebody else stored. */
  | { readonly kind: 'reload'; readonly stored: StoredQuestion }
  /** The form begins another new question, of the same domain. */
  | { readonly kind: 'begin-next'; readonly newId: string }

/** @param newId the id of the question if it is new */
export function beginEditor(stored: StoredQuestion | null, newId: string): EditorState {
  const question = stored === null ? { ...emptyQuestion, newId } : toEdited(stored.question)
  return {
    history: beginHistory(question),
    saved: question,
    version: stored?.version ?? 0,
    isTouched: false,
    focusedOption: null,
  }
}

export const isUnsaved = ({ history, saved }: EditorState) => !isSame(history.now, saved)

export function reduceEditor(state: EditorState, action: EditorAction): EditorState {
  switch (action.kind) {
    case 'undo':
      return { ...state, history: undo(state.history), isTouched: true }
    case 'redo':
      return { ...state, history: redo(state.history), isTouched: true }
    case 'saved':
      return { ...state, saved: action.question, version: action.version }
    case 'overwrite':
      return { ...state, version: action.version }
    case 'reload':
      return { ...beginEditor(action.stored, ''), isTouched: true }
    case 'begin-next': {
      const question = { ...emptyQuestion, domain: state.history.now.domain, newId: action.newId }
      return { ...beginEditor(null, action.newId), history: beginHistory(question), saved: question }
    }
    default:
      return reduceChange(state, action)
  }
}

type ChangeAction = Extract<EditorAction, { at: number }>

function reduceChange(state: EditorState, action: ChangeAction): EditorState {
  const question = state.history.now
  const { options } = question
  const change = (changed: Partial<EditedQuestion>, field: string | null = null): EditorState => ({
    ...state,
    history: withChange(state.history, { ...question, ...changed }, field, action.at),
    isTouched: true,
  })
  switch (action.kind) {
    case 'change':
      return change(action.changed, action.field)
    case 'change-option': {
      const option = options[action.place]
      if (option === undefined) return state
      const next = { ...option, ...action.changed }
      return change({ options: options.with(action.place, next) }, action.isTyped === true ? option.key : null)
    }
    case 'add-option': {
      if (options.length >= MAX_OPTIONS) return state
      const option = emptyOption(unusedKey(options))
      return { ...change({ options: [...options, option] }), focusedOption: { key: option.key } }
    }
    case 'remove-option':
      return options.length <= MIN_OPTIONS ? state : change({ options: options.filter((_, at) => at !== action.place) })
    case 'move-option': {
      const option = options[action.place]
      const moved = moveOption(options, action.place, action.by)
      return option === undefined || moved === options
        ? state
        : { ...change({ options: moved }), focusedOption: { key: option.key } }
    }
  }
}

function unusedKey(options: readonly EditedOption[]): string {
  const used = new Set(options.map(({ key }) => key))
  const number = Array.from({ length: MAX_OPTIONS }, (_, at) => at).find((at) => !used.has(`new-${at}`))
  return `new-${number ?? MAX_OPTIONS}`
}
