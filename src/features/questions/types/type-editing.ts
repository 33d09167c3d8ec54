import type { FieldProblem } from '../../../lib/failure.ts'
import type { partNames } from './question-edit.copy.ts'
import type { RegisteredAction } from './registered/registered-unions.ts'
import type { SharedFields } from './question-edit-base.schema.ts'
import type { EditedQuestion, QuestionEdit } from './question-edit.schema.ts'
import type { Question, QuestionType } from './question-types.schema.ts'
import type { KeyProblem, OfType } from './type-grading.ts'

/** A part of a question that other types lack: what learners see of it, or its answer key. */
export type TypePart = keyof typeof partNames

/** A change of a form that only a type has, such as another option. */
export type TypeAction = RegisteredAction

/** What a keyboard shortcut does to the parts of a question. */
export type PartShortcut =
  | { readonly kind: 'add-part' }
  /** @param key the row that has the focus; undefined if none has */
  | { readonly kind: 'move-part'; readonly by: 1 | -1; readonly key: string | undefined }
  | { readonly kind: 'mark-part'; readonly place: number }

/** A keyboard shortcut and its meaning, for the list of shortcuts. */
export type ListedShortcut = readonly [keys: string, meaning: string]

/** A form after an action of its type. */
export type PartsChanged<Edited = EditedQuestion> = {
  readonly edited: Edited
  /** The field that was typed in, so that continued typing is one step; null for a step of its own. */
  readonly typedField: string | null
  /** The key of the row that receives the focus. */
  readonly focusedKey: string | null
}

/** A text of a question with its name, for finding and replacing words. */
export type NamedText = { readonly name: string; readonly text: string }

/** The fields of a question as a file holds them, before they are checked. */
export type FileFields = Readonly<Record<string, unknown>>

/** How admins edit and judge questions of a type, without its components. */
export interface TypeEditing<Type extends QuestionType> {
  /** What authors call the type. */
  readonly name: string
  /** The form of a new question. */
  readonly empty: OfType<EditedQuestion, Type>
  toEdited(question: OfType<Question, Type>): OfType<EditedQuestion, Type>
  /** What the editor sends: without the empty rows that it offers at the end. */
  toEdit(edited: OfType<EditedQuestion, Type>): OfType<QuestionEdit, Type>
  /** The form after an action; null if the action changes nothing. */
  reduce(
    edited: OfType<EditedQuestion, Type>,
    action: OfType<TypeAction, Type>,
  ): PartsChanged<OfType<EditedQuestion, Type>> | null
  /** The action of a shortcut; null if the type has none for it. */
  actionOf(edited: OfType<EditedQuestion, Type>, shortcut: PartShortcut): OfType<TypeAction, Type> | null
  readonly shortcuts: readonly ListedShortcut[]

  /** Problems that judging cannot find, because it no longer sees the places and ids of the form. */
  problems(edit: OfType<QuestionEdit, Type>, stored: OfType<Question, Type> | null): FieldProblem[]
  /** Problems that judging would find, reported together with those of `problems`. */
  furtherProblems(edit: OfType<QuestionEdit, Type>): FieldProblem[]
  /** The fields that only this type has, as `judgeQuestion` reads them. @param stored the question that the edit changes */
  toGiven(edit: OfType<QuestionEdit, Type>, stored: OfType<Question, Type> | null): FileFields
  /** The field of the edit that holds the parts, for problems with all of them. */
  readonly partsField: string
  /** The field of the edit that a judged field comes from; null if the field is not the type's. */
  editField(judgedField: string): string | null
  keySentence(question: OfType<Question, Type>, problem: KeyProblem): string

  changedParts(old: OfType<Question, Type>, now: OfType<Question, Type>): TypePart[]
  /** The texts that only this type has, in reading order. */
  namedTexts(question: OfType<Question, Type>): NamedText[]
  /** A few words for a list of questions, such as how many options are right. */
  summary(question: OfType<Question, Type>): string

  /** The form to correct what a file holds. @param shared the fields that are read already */
  fromFile(fields: FileFields, shared: SharedFields): OfType<EditedQuestion, Type>
  /** The form with as many rows as the type allows, for a form that cannot add rows. */
  withAllRows(edited: OfType<EditedQuestion, Type>): OfType<EditedQuestion, Type>
  /** What that form sends: a new question without the empty rows at the end. */
  toCorrection(edited: OfType<EditedQuestion, Type>): OfType<QuestionEdit, Type>
  /** Texts of a file that no form has room for; null if there are none. */
  leftOver(fields: FileFields): { readonly title: string; readonly texts: readonly string[] } | null
}
