import { call } from '../../../../platform/client.ts'
import type { KeyPreview, Mended, MendKey } from './schema.ts'

const questionOf = (examId: string, questionId: string) =>
  `/api/exams/${examId}/questions/${encodeURIComponent(questionId)}`

/** @throws CallFailed, with a problem under `rightAnswerIds` */
export const previewKey = (examId: string, questionId: string, rightAnswerIds: readonly string[]) =>
  call<KeyPreview>('POST', `${questionOf(examId, questionId)}/key-preview`, { rightAnswerIds })

/** @throws CallFailed, with problems under `rightAnswerIds`, `reason` and `explanation` */
export const mendKey = (examId: string, questionId: string, wish: MendKey) =>
  call<Mended>('POST', `${questionOf(examId, questionId)}/key`, wish)
