import { SECOND_MS } from '../../lib/time.ts'
import { call } from '../../platform/client.ts'
import type {
  AttemptClock,
  AttemptView,
  CheckedAnswer,
  FinishAttempt,
  FinishedAttempt,
  Mode,
  SaveAnswer,
  SavedAnswer,
} from './schema.ts'

/** A network that swallows everything says nothing of it: who waits longer than this tries again. */
const SAVE_TIMEOUT = { timeoutMs: 15 * SECOND_MS }
const FINISH_TIMEOUT = { timeoutMs: 30 * SECOND_MS }

const path = (attemptId: string, rest = '') => `/api/attempts/${attemptId}${rest}`
const answerPath = (attemptId: string, questionId: string) =>
  path(attemptId, `/answers/${encodeURIComponent(questionId)}`)

/** @throws CallFailed. The attempt may have another writer: then this page may not change it. */
export const startAttempt = (examSlug: string, mode: Mode, writer: string) =>
  call<AttemptView>('POST', '/api/attempts', { examSlug, mode, writer })

export const takeOver = (attemptId: string, writer: string) =>
  call<AttemptView>('POST', path(attemptId, '/writer'), { writer })

export const putAnswer = (attemptId: string, questionId: string, answer: SaveAnswer) =>
  call<SavedAnswer>('PUT', answerPath(attemptId, questionId), answer, SAVE_TIMEOUT)

export const checkAnswer = (attemptId: string, questionId: string, writer: string, answer: SaveAnswer | null) =>
  call<CheckedAnswer>('POST', `${answerPath(attemptId, questionId)}/check`, {
    writer,
    ...(answer === null ? {} : { answer }),
  })

export const finishAttempt = (attemptId: string, submission: FinishAttempt) =>
  call<FinishedAttempt>('POST', path(attemptId, '/finish'), submission, FINISH_TIMEOUT)

export const readClock = (attemptId: string) =>
  call<AttemptClock>('GET', path(attemptId, '/clock'), undefined, SAVE_TIMEOUT)

/** For a page that is going away: the browser delivers it after the page is gone, and nobody waits for a reply. */
export function putAnswerInPassing(attemptId: string, questionId: string, answer: SaveAnswer): void {
  fetch(answerPath(attemptId, questionId), {
    method: 'PUT',
    keepalive: true,
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answer),
    // What does not arrive lies in the queue on the device.
  }).catch(() => undefined)
}
