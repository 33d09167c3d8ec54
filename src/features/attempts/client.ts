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

const path = (attemptId: string, rest = '') => `/api/attempts/${attemptId}${rest}`
const answerPath = (attemptId: string, questionId: string) =>
  path(attemptId, `/answers/${encodeURIComponent(questionId)}`)

/** @throws CallFailed. The attempt may have another writer: then this page may not change it. */
export const startAttempt = (examSlug: string, mode: Mode, writer: string) =>
  call<AttemptView>('POST', '/api/attempts', { examSlug, mode, writer })

export const takeOver = (attemptId: string, writer: string) =>
  call<AttemptView>('POST', path(attemptId, '/writer'), { writer })

export const putAnswer = (attemptId: string, questionId: string, answer: SaveAnswer) =>
  call<SavedAnswer>('PUT', answerPath(attemptId, questionId), answer)

export const checkAnswer = (attemptId: string, questionId: string, writer: string, answer: SaveAnswer | null) =>
  call<CheckedAnswer>('POST', `${answerPath(attemptId, questionId)}/check`, {
    writer,
    ...(answer === null ? {} : { answer }),
  })

export const finishAttempt = (attemptId: string, submission: FinishAttempt) =>
  call<FinishedAttempt>('POST', path(attemptId, '/finish'), submission)

export const readClock = (attemptId: string) => call<AttemptClock>('GET', path(attemptId, '/clock'))

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
