import { clientOf } from '../../../platform/api-client.ts'
import type { regradeApi } from './regrade-endpoints.server.ts'
import type { AnswerKey } from '../../questions/types/question-edit.schema.ts'
import type { CorrectKey } from './regrade.schema.ts'

const call = clientOf<typeof regradeApi>()

/** @throws CallFailed, with a problem under `answerKey` */
export const previewKey = (examId: string, questionId: string, answerKey: AnswerKey) =>
  call('POST', '/api/exams/:examId/questions/:questionId/key-preview', {
    params: { examId, questionId },
    body: { answerKey },
  })

/** @throws CallFailed, with problems under `answerKey`, `reason` and `explanation` */
export const correctKey = (examId: string, questionId: string, correction: CorrectKey) =>
  call('POST', '/api/exams/:examId/questions/:questionId/key', { params: { examId, questionId }, body: correction })
