import { call } from '../../../platform/client.ts'
import type { DraftChanges, DraftView, ExamSettings, Published, QuestionEdit, SavedQuestion } from './schema.ts'

type Done = { readonly done: true }

const draftOf = (examId: string) => `/api/exams/${examId}/draft`
const questionOf = (examId: string, questionId: string) =>
  `${draftOf(examId)}/questions/${encodeURIComponent(questionId)}`

export const beginDraft = (examId: string) => call<DraftView>('POST', draftOf(examId))
export const discardDraft = (examId: string, version: number) => call<Done>('DELETE', draftOf(examId), { version })
export const getChanges = (examId: string) => call<DraftChanges>('GET', `${draftOf(examId)}/changes`)
export const publishDraft = (examId: string, version: number) =>
  call<Published>('POST', `${draftOf(examId)}/publish`, { version })

/** @throws CallFailed, with problems under `settings.…`, or draft.changed-elsewhere with what is stored */
export const changeSettings = (examId: string, settings: ExamSettings, version: number) =>
  call<DraftView>('PATCH', draftOf(examId), { settings, version })

export const addQuestion = (examId: string, question: QuestionEdit) =>
  call<SavedQuestion>('POST', `${draftOf(examId)}/questions`, { question })
/** @throws CallFailed, with problems by the field of the edit, or draft.changed-elsewhere with what is stored */
export const changeQuestion = (examId: string, questionId: string, question: QuestionEdit, version: number) =>
  call<SavedQuestion>('PUT', questionOf(examId, questionId), { question, version })
export const deleteQuestion = (examId: string, questionId: string, version: number) =>
  call<Done>('DELETE', questionOf(examId, questionId), { version })
