import type { Db } from '../../../db/open.server.ts'
import type { AttemptId } from '../../../lib/ids.ts'
import type { Clock } from '../../../platform/clock.server.ts'
import type { FastPathCall } from '../../../platform/http/fast-path.server.ts'
import { clockOf } from '../attempts-queries.server.ts'
import { answerProblem } from '../attempts.ts'
import { AnswerPath, SaveAnswer, type SavedAnswer } from '../attempts.schema.ts'
import { findCachedLayout } from './save-batch-queries.server.ts'
import type { Credentials, DirectSave, Written } from './save-batch-commands.server.ts'

type DirectSaves = {
  readonly db: Db
  readonly clock: Clock
  readonly save: (save: DirectSave) => Promise<Written | null>
  readonly readCredentials: (cookies: string | undefined) => Credentials
}

/** The fast path for saving an answer, the most frequent call. Everything but a plain success is left to `saveAnswer` (decision 0008). */
export function directSave({ db, clock, save, readCredentials }: DirectSaves): FastPathCall {
  return {
    method: 'PUT',
    route: '/api/attempts/:attemptId/answers/:questionId',
    path: /^\/api\/attempts\/(?<attemptId>[0-9a-f-]+)\/answers\/(?<questionId>[\w.~-]+)$/,
    async answer({ params, body, cookies }) {
      const path = AnswerPath.safeParse(params)
      const answer = SaveAnswer.safeParse(body)
      const by = readCredentials(cookies)
      if (!path.success || !answer.success || (by.sessionHash === null && by.guestId === null)) return null
      const attemptId = path.data.attemptId as AttemptId
      const { questionId } = path.data
      const layout = await findCachedLayout(db, attemptId)
      if (layout === null || answerProblem(layout, questionId, answer.data) !== null) return null
      const now = clock.now()
      const written = await save({ attemptId, questionId, by, answer: answer.data, now })
      if (written === null) return null
      const { seq, writer } = answer.data
      const reply: SavedAnswer = { seq, writer, clock: clockOf({ deadlineAt: written.deadlineAt, state: 'open' }, now) }
      return { reply, userId: written.userId }
    },
  }
}
