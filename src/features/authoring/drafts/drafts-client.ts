import { clientOf } from '../../../platform/api-client.ts'
import type { draftsApi } from './drafts-endpoints.server.ts'
import type { QuestionEdit } from '../../questions/types/question-edit.schema.ts'
import type { ExamSettings } from '../../catalogue/exam-settings.schema.ts'

const call = clientOf<typeof draftsApi>()

export const beginDraft = (examId: string) => call('POST', '/api/exams/:examId/draft', { params: { examId } })
export const discardDraft = (examId: string, version: number) =>
  call('DELETE', '/api/exams/:examId/draft', { params: { examId }, body: { version } })
export const getChanges = (examId: string) => call('GET', '/api/exams/:examId/draft/changes', { params: { examId } })
export const publishDraft = (examId: string, version: number) =>
  call('POST', '/api/exams/:examId/draft/publish', { params: { examId }, body: { version } })

/** @throws CallFailed, with problems under `settings.…`, or draft.changed-elsewhere with the stored settings */
export const changeSettings = (examId: string, settings: ExamSettings, version: number) =>
  call('PATCH', '/api/exams/:examId/draft', { params: { examId }, body: { settings, version } })

/** The caller chooses `id` once, so that sending twice adds one question. */
export const addQuestion = (examId: string, question: QuestionEdit, id: string) =>
  call('POST', '/api/exams/:examId/draft/questions', { params: { examId }, body: { question, id } })
/** @throws CallFailed, with problems by the field of the edit, or draft.changed-elsewhere with the stored question */
export const changeQuestion = (examId: string, questionId: string, question: QuestionEdit, version: number) =>
  call('PUT', '/api/exams/:examId/draft/questions/:questionId', {
    params: { examId, questionId },
    body: { question, version },
  })
