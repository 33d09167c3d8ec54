import type { ComponentType, ReactNode } from 'react'
import type { AnswerKey, EditedQuestion } from './question-edit.schema.ts'
import type { Question, QuestionType } from './question-types.schema.ts'
import type { TypeAction } from './type-editing.ts'
import type { OfType } from './type-grading.ts'

/** The text field of the page, which may accept images. */
export type TextFieldProps = {
  readonly label: string
  readonly value: string
  readonly isShort?: boolean
  readonly problem?: string | undefined
  /** `isTyped` is true for keyboard input, so that continued typing is one step of undo. */
  readonly onText: (text: string, isTyped: boolean) => void
}

export type PartFieldsProps<Type extends QuestionType = QuestionType> = {
  readonly edited: OfType<EditedQuestion, Type>
  readonly problemOf: (field: string) => string | undefined
  readonly onChange: (action: OfType<TypeAction, Type>) => void
  readonly TextField: ComponentType<TextFieldProps>
}

export type PartsPreviewProps<Type extends QuestionType = QuestionType> = {
  readonly edited: OfType<EditedQuestion, Type>
  /** Whether rows without text are left out. */
  readonly hidesEmpty?: boolean
}

export type KeyFormProps<Type extends QuestionType = QuestionType> = {
  /** The question with the answer key that it has. */
  readonly question: OfType<Question, Type>
  /** The answer key that is chosen; it may be incomplete. */
  readonly answerKey: OfType<AnswerKey, Type>
  readonly problem: string | undefined
  readonly onChange: (answerKey: OfType<AnswerKey, Type>) => void
}

/** What admins see to edit and judge questions of a type. Rows that can have the focus have `data-part` with their key. */
export interface TypeEditor<Type extends QuestionType> {
  /** The parts in the editor of drafts, and in the form that corrects an imported question. */
  PartFields(props: PartFieldsProps<Type>): ReactNode
  /** The parts as learners see them, with the answer key marked. */
  PartsPreview(props: PartsPreviewProps<Type>): ReactNode
  /** The choice of another answer key. */
  KeyForm(props: KeyFormProps<Type>): ReactNode
}
