import type { FieldProblem } from '../../../lib/failure.ts'
import { EDITINGS } from './registered/registered-edits.ts'
import { DEFAULT_TYPE, typeOfGiven } from './content-registry.ts'
import { formText } from './given-fields.ts'
import { Difficulty } from './question-base.schema.ts'
import { sharedFields } from './question-edit-base.schema.ts'
import type { EditedQuestion, QuestionEdit } from './question-edit.schema.ts'
import type { Question, QuestionType } from './question-types.schema.ts'
import {
  type FileFields,
  type ListedShortcut,
  type NamedText,
  type PartsChanged,
  type PartShortcut,
  type TypeAction,
  type TypeEditing,
  type TypePart,
} from './type-editing.ts'
import type { KeyProblem } from './type-grading.ts'

const registry: { readonly [Type in QuestionType]: TypeEditing<Type> } = EDITINGS

/** The editing of a type. The cast is safe because the callers below pass values of equal type. */
function editingOf({ type }: { readonly type: QuestionType }): TypeEditing<QuestionType> {
  return registry[type] as TypeEditing<QuestionType>
}

/** The types in the order in which authors choose one: the usual one first. */
export const QUESTION_TYPES = (Object.keys(registry) as QuestionType[]).sort(
  (one, other) => Number(other === DEFAULT_TYPE) - Number(one === DEFAULT_TYPE),
)

/** What authors call a type. */
export function typeName(type: QuestionType): string {
  return registry[type].name
}

/** The form of another type that keeps the fields that every type has. */
export function withTypeOf(edited: EditedQuestion, type: QuestionType): EditedQuestion {
  if (edited.type === type) return edited
  const newId = edited.newId === undefined ? {} : { newId: edited.newId }
  return { ...emptyQuestion(type), ...sharedFields(edited), ...newId }
}

/** The form of a new question. */
export function emptyQuestion(type: QuestionType = DEFAULT_TYPE): EditedQuestion {
  return editingOf({ type }).empty
}

export function toEdited(question: Question): EditedQuestion {
  return editingOf(question).toEdited(question)
}

/** What the editor sends: without the empty rows that it offers at the end. */
export function toQuestionEdit(edited: EditedQuestion): QuestionEdit {
  return editingOf(edited).toEdit(edited)
}

/** Whether two forms would send the same. */
export function isSameEdit(one: EditedQuestion, other: EditedQuestion): boolean {
  return JSON.stringify(toQuestionEdit(one)) === JSON.stringify(toQuestionEdit(other))
}

/** The edit that leaves a question as it is. */
export function editOf(question: Question): QuestionEdit {
  return toQuestionEdit(toEdited(question))
}

/** The form after an action of its type; null if the action changes nothing. */
export function changeParts(edited: EditedQuestion, action: TypeAction): PartsChanged | null {
  return action.type === edited.type ? editingOf(edited).reduce(edited, action) : null
}

/** The action of a shortcut; null if the type has none for it. */
export function partActionOf(edited: EditedQuestion, shortcut: PartShortcut): TypeAction | null {
  return editingOf(edited).actionOf(edited, shortcut)
}

/** The shortcuts that only a type has. */
export function partShortcuts(type: QuestionType): readonly ListedShortcut[] {
  return registry[type].shortcuts
}

/** Problems that judging cannot find, because it no longer sees the places and ids of the form. */
export function editProblems(edit: QuestionEdit, stored: Question | null): FieldProblem[] {
  return editingOf(edit).problems(edit, ofSameType(edit, stored))
}

/** Problems that judging would find, reported together with those of `editProblems`. */
export function furtherProblems(edit: QuestionEdit): FieldProblem[] {
  return editingOf(edit).furtherProblems(edit)
}

/** The fields that only its type has, as `judgeQuestion` reads them, and the type. @param stored the question that the edit changes */
export function toGiven(edit: QuestionEdit, stored: Question | null): FileFields {
  return { type: edit.type, ...editingOf(edit).toGiven(edit, ofSameType(edit, stored)) }
}

function ofSameType(edit: QuestionEdit, stored: Question | null): Question | null {
  return stored?.type === edit.type ? stored : null
}

/** The field of the edit that holds the parts, for problems with all of them. */
export function partsField(type: QuestionType): string {
  return registry[type].partsField
}

/** The field of the edit that a judged field comes from; null if the field is not one of its type. */
export function editField(type: QuestionType, judgedField: string): string | null {
  return registry[type].editField(judgedField)
}

/** Why an answer key does not fit, in words. */
export function keySentence(question: Question, problem: KeyProblem): string {
  return editingOf(question).keySentence(question, problem)
}

/** The parts that differ between two versions of a question. */
export function changedTypeParts(old: Question, now: Question): readonly TypePart[] {
  return old.type === now.type ? editingOf(old).changedParts(old, now) : ['type']
}

/** The texts that only its type has, in reading order. */
export function namedTexts(question: Question): NamedText[] {
  return editingOf(question).namedTexts(question)
}

/** A few words for a list of questions, such as how many options are right. */
export function summaryOf(question: Question): string {
  return editingOf(question).summary(question)
}

/** The form to correct what a file holds, filled with what was read. */
export function editedFromFile(fields: FileFields): EditedQuestion {
  const shared = {
    stem: formText(fields['question']),
    explanation: formText(fields['explanation']),
    domain: formText(fields['domain']),
    url: formText(fields['url']),
    difficulty: Difficulty.catch('').parse(formText(fields['difficulty']).trim().toLowerCase()),
    needsReview: fields['needs_review'] === true,
  }
  return fileEditing(fields).fromFile(fields, shared)
}

/** Texts of a file that no form has room for; null if there are none. */
export function leftOverOf(fields: FileFields): { readonly title: string; readonly texts: readonly string[] } | null {
  return fileEditing(fields).leftOver(fields)
}

function fileEditing(fields: FileFields): TypeEditing<QuestionType> {
  return editingOf({ type: typeOfGiven(fields['type']) ?? DEFAULT_TYPE })
}

/** The form with as many rows as its type allows, for a form that cannot add rows. */
export function withAllRows(edited: EditedQuestion): EditedQuestion {
  return editingOf(edited).withAllRows(edited)
}

/** What that form sends: a new question without the empty rows at the end. */
export function toCorrection(edited: EditedQuestion): QuestionEdit {
  return editingOf(edited).toCorrection(edited)
}
