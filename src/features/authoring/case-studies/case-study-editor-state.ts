import { beginHistory, redo, undo, withChange, type History } from '../editor/question-editor.ts'
import { emptyTab, toCaseStudyForm, type CaseStudyForm } from './case-study-form.ts'
import type { CaseStudyView } from './draft-case-studies.schema.ts'

/** A case study of the draft with the version that a save must name. */
type StoredCaseStudy = Pick<CaseStudyView, 'caseStudy' | 'version'>

export type EditorState = {
  readonly history: History<CaseStudyForm>
  /** The form as it was last saved, or as it began. */
  readonly saved: CaseStudyForm
  /** The version that the next save replaces; null adds a case study. */
  readonly version: number | null
  /** Whether this form was changed since it was opened. Until then, text stored on the device is from an earlier visit. */
  readonly isTouched: boolean
}

/** `at` is the time of a change in epoch milliseconds. */
export type EditorAction =
  /** Changes the form as it is now: an image may arrive after further typing. `field` names a field that is typed in. */
  | {
      readonly kind: 'change'
      readonly update: (form: CaseStudyForm) => CaseStudyForm
      readonly field?: string | null
      readonly at: number
    }
  | { readonly kind: 'undo' | 'redo' }
  /** The form continues with text that an earlier visit left on the device, and with the version that the text changes. */
  | { readonly kind: 'resume'; readonly form: CaseStudyForm; readonly base: number | null; readonly at: number }
  /** The server stored `form` as `version`. */
  | { readonly kind: 'saved'; readonly form: CaseStudyForm; readonly version: number }
  /** The next save replaces `version`, which somebody else stored. */
  | { readonly kind: 'overwrite'; readonly version: number }
  /** The form shows what somebody else stored. */
  | { readonly kind: 'reload'; readonly stored: StoredCaseStudy }

/** The only tab of a new case study. Its id is fixed, so that the browser finds the elements that the server rendered. */
const FIRST_TAB = 't1'

/** @param newId the id of the case study if it is new */
export function beginEditor(stored: StoredCaseStudy | null, newId: string): EditorState {
  const form =
    stored === null ? { id: newId, title: '', tabs: [emptyTab(FIRST_TAB)] } : toCaseStudyForm(stored.caseStudy)
  return { history: beginHistory(form), saved: form, version: stored?.version ?? null, isTouched: false }
}

export const isSameForm = (one: CaseStudyForm, other: CaseStudyForm) => JSON.stringify(one) === JSON.stringify(other)

export const isUnsaved = ({ history, saved }: EditorState) => !isSameForm(history.now, saved)

export function reduceEditor(state: EditorState, action: EditorAction): EditorState {
  const { history } = state
  switch (action.kind) {
    case 'change': {
      const next = action.update(history.now)
      if (next === history.now) return state
      return { ...state, history: withChange(history, next, action.field ?? null, action.at), isTouched: true }
    }
    case 'undo':
      return { ...state, history: undo(history), isTouched: true }
    case 'redo':
      return { ...state, history: redo(history), isTouched: true }
    case 'resume': {
      const version = action.base ?? state.version
      return { ...state, history: withChange(history, action.form, null, action.at), version, isTouched: true }
    }
    case 'saved':
      return { ...state, saved: action.form, version: action.version }
    case 'overwrite':
      return { ...state, version: action.version }
    case 'reload':
      return { ...beginEditor(action.stored, ''), isTouched: true }
  }
}
