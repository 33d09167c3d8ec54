import { clientOf } from '../../../platform/api-client.ts'
import type { regradeApi } from './regrade-endpoints.server.ts'
import type { CorrectKey } from './regrade.schema.ts'

const call = clientOf<typeof regradeApi>()

/** @throws CallFailed, with a problem under `rightOptionIds` */
export const previewKey = (examId: string, questionId: string, rightOptionIds: readonly string[]) =>
  call('POST', '/api/exams/:examId/questions/:questionId/key-preview', {
    params: { examId, questionId },
    body: { rightOptionIds: [...rightOptionIds] },
  })

/** @throws CallFailed, with problems under `rightOptionIds`, `reason` and `explanation` */
export const correctKey = (examId: string, questionId: string, wish: CorrectKey) =>
  call('POST', '/api/exams/:examId/questions/:questionId/key', { params: { examId, questionId }, body: wish })
