import { clientOf } from '../../../../platform/client.ts'
import type { regradeApi } from './api.server.ts'
import type { MendKey } from './schema.ts'

const call = clientOf<typeof regradeApi>()

/** @throws CallFailed, with a problem under `rightAnswerIds` */
export const previewKey = (examId: string, questionId: string, rightAnswerIds: readonly string[]) =>
  call('POST', '/api/exams/:examId/questions/:questionId/key-preview', {
    params: { examId, questionId },
    body: { rightAnswerIds: [...rightAnswerIds] },
  })

/** @throws CallFailed, with problems under `rightAnswerIds`, `reason` and `explanation` */
export const mendKey = (examId: string, questionId: string, wish: MendKey) =>
  call('POST', '/api/exams/:examId/questions/:questionId/key', { params: { examId, questionId }, body: wish })
