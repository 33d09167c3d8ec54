import { SECOND_MS } from '../../../lib/time.ts'
import { clientOf } from '../../../platform/api-client.ts'
import type { attemptsApi } from '../attempts-endpoints.server.ts'
import type { AttemptView, FinishAttempt, Mode, SaveAnswer } from '../attempts.schema.ts'

const call = clientOf<typeof attemptsApi>()

/** Some networks drop requests without an error, so calls end after this time and are retried. */
const SAVE_TIMEOUT_MS = 15 * SECOND_MS
const FINISH_TIMEOUT_MS = 30 * SECOND_MS

/**
 * `onFirstPart` gets the attempt with its first question only, before the others have arrived.
 * @throws CallFailed. The attempt may come back with another writer; then this page must not change it.
 */
export const startAttempt = (
  examSlug: string,
  mode: Mode,
  writer: string,
  onFirstPart?: (attempt: AttemptView) => void,
) => call('POST', '/api/attempts', { body: { examSlug, mode, writer }, ...(onFirstPart && { onFirstPart }) })

export const readAttempt = (attemptId: string) => call('GET', '/api/attempts/:attemptId', { params: { attemptId } })

export const takeOver = (attemptId: string, writer: string) =>
  call('POST', '/api/attempts/:attemptId/writer', { params: { attemptId }, body: { writer } })

export const putAnswer = (attemptId: string, questionId: string, answer: SaveAnswer) =>
  call('PUT', '/api/attempts/:attemptId/answers/:questionId', {
    params: { attemptId, questionId },
    body: answer,
    timeoutMs: SAVE_TIMEOUT_MS,
  })

export const checkAnswer = (attemptId: string, questionId: string, writer: string, answer: SaveAnswer | null) =>
  call('POST', '/api/attempts/:attemptId/answers/:questionId/check', {
    params: { attemptId, questionId },
    body: { writer, ...(answer === null ? {} : { answer }) },
  })

export const finishAttempt = (attemptId: string, submission: FinishAttempt) =>
  call('POST', '/api/attempts/:attemptId/finish', {
    params: { attemptId },
    body: submission,
    timeoutMs: FINISH_TIMEOUT_MS,
  })

export const readClock = (attemptId: string) =>
  call('GET', '/api/attempts/:attemptId/clock', { params: { attemptId }, timeoutMs: SAVE_TIMEOUT_MS })

/** For a page that is being closed: the browser sends the request even after the page is gone; the reply is ignored. */
export function putAnswerInPassing(attemptId: string, questionId: string, answer: SaveAnswer): void {
  call('PUT', '/api/attempts/:attemptId/answers/:questionId', {
    params: { attemptId, questionId },
    body: answer,
    isPassing: true,
    // A save that does not arrive is still in the queue on the device.
  }).catch(() => undefined)
}
