import { changeParts, emptyQuestion, isSameEdit, toEdited, withTypeOf } from '../../questions/types/edit-registry.ts'
import type { EditedFields } from '../../questions/types/question-edit-base.schema.ts'
import type { EditedQuestion } from '../../questions/types/question-edit.schema.ts'
import type { Question, QuestionType } from '../../questions/types/question-types.schema.ts'
import type { TypeAction } from '../../questions/types/type-editing.ts'
import { beginHistory, redo, undo, withChange, type History } from './question-editor.ts'

/** A question of the draft with the version that a save must name; null while the question is new. */
type StoredQuestion = { readonly question: Question; readonly version: number }

export type EditorState = {
  readonly history: History<EditedQuestion>
  /** The form as it was last saved, or as it began. */
  readonly saved: EditedQuestion
  /** The version of the stored question that the next save replaces; 0 for a new question. */
  readonly version: number
  /** Whether this form was changed since it was opened. Until then, text stored on the device is from an earlier visit. */
  readonly isTouched: boolean
  /** The row that receives the focus, or with null the first text. Each change that moves the focus makes a new object. */
  readonly focusedPart: { readonly key: string | null } | null
}

/** `at` is the time of a change in epoch milliseconds. */
export type EditorAction =
  | {
      readonly kind: 'change'
      readonly changed: Partial<EditedFields>
      readonly field?: string | null
      readonly at: number
    }
  /** The parts of the former type are gone, until the change is undone. */
  | { readonly kind: 'change-type'; readonly type: QuestionType; readonly at: number }
  | { readonly kind: 'change-parts'; readonly action: TypeAction; readonly at: number }
  /** The form continues with text that an earlier visit left on the device, and with the version that the text changes. */
  | { readonly kind: 'resume'; readonly question: EditedQuestion; readonly base: number | null; readonly at: number }
  | { readonly kind: 'undo' | 'redo' }
  /** The server stored `question` as `version`. */
  | { readonly kind: 'saved'; readonly question: EditedQuestion; readonly version: number }
  /** The next save replaces `version`, which somebody else stored. */
  | { readonly kind: 'overwrite'; readonly version: number }
  /** The form shows what somebody else stored. */
  | { readonly kind: 'reload'; readonly stored: StoredQuestion }
  /**
   * The form begins another new question, of the same type, domain and case study. What was typed while the question was being saved
   * stays instead.
   */
  | { readonly kind: 'begin-next'; readonly newId: string }

/**
 * @param newId the id of the question if it is new
 * @param caseStudy the case study that a new question begins with
 */
export function beginEditor(stored: StoredQuestion | null, newId: string, caseStudy?: string | null): EditorState {
  const empty = { ...emptyQuestion(), newId, ...(typeof caseStudy === 'string' && { caseStudy }) }
  const question = stored === null ? empty : toEdited(stored.question)
  return {
    history: beginHistory(question),
    saved: question,
    version: stored?.version ?? 0,
    isTouched: false,
    focusedPart: null,
  }
}

export const isUnsaved = ({ history, saved }: EditorState) => !isSameEdit(history.now, saved)

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
      if (isUnsaved(state)) return state
      const { type, domain, caseStudy } = state.history.now
      const question = {
        ...emptyQuestion(type),
        domain,
        ...(caseStudy !== undefined && { caseStudy }),
        newId: action.newId,
      }
      const focusedPart = { key: null }
      return { ...beginEditor(null, action.newId), history: beginHistory(question), saved: question, focusedPart }
    }
    default:
      return reduceChange(state, action)
  }
}

type ChangeAction = Extract<EditorAction, { at: number }>

function reduceChange(state: EditorState, action: ChangeAction): EditorState {
  const question = state.history.now
  const change = (next: EditedQuestion, field: string | null = null): EditorState => ({
    ...state,
    history: withChange(state.history, next, field, action.at),
    isTouched: true,
  })
  switch (action.kind) {
    case 'change':
      return change({ ...question, ...action.changed }, action.field)
    case 'change-type':
      return action.type === question.type ? state : change(withTypeOf(question, action.type))
    case 'resume':
      return {
        ...change({ ...action.question, newId: action.question.newId ?? question.newId }),
        version: action.base ?? state.version,
      }
    case 'change-parts': {
      const changed = changeParts(question, action.action)
      if (changed === null) return state
      const next = change(changed.edited, changed.typedField)
      return changed.focusedKey === null ? next : { ...next, focusedPart: { key: changed.focusedKey } }
    }
  }
}
