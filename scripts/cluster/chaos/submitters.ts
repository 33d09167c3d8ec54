import type { Db } from '../../../src/db/open.server.ts'
import { selecting } from '../../../tests/support/answers.ts'
import type { StartedTaker } from '../../../tests/support/exam-takers.ts'
import type { People } from './make-people.ts'
import { pause, successOf, type Requests } from './requests.ts'

const EXAM = 'clf-practice-exam-1'
const ANSWERS = 3
const TRY_AGAIN_MS = 500

type Attempt = Pick<StartedTaker, 'attemptId' | 'questions'>

export type Submitters = {
  /** Submissions whose result was shown. */
  acknowledged(): number
  run(isOver: () => boolean): Promise<void>
  /** Submissions that were acknowledged and are not stored, and attempts that nobody began. */
  findFaults(db: Db): Promise<string[]>
}

/** Learners who take one short exam after the other: they begin, answer some questions and submit. A step that fails is tried again. */
export function createSubmitters({ submitters: learners }: People, requests: Requests): Submitters {
  const begun = new Set(learners.map(({ attemptId }) => attemptId))
  const submitted = new Set<string>()

  async function untilDone(isOver: () => boolean, step: () => Promise<object | null>) {
    while (!isOver()) {
      const done = await step()
      if (done !== null) return done
      await pause(TRY_AGAIN_MS)
    }
    return null
  }

  async function takeExams({ cookie, writer, ...first }: StartedTaker, isOver: () => boolean) {
    const send = async (method: string, path: string, body: object) =>
      successOf<object>(await requests.send(method, path, { cookie, body }))
    for (let attempt: Attempt | null = first; attempt !== null && !isOver();) {
      const { attemptId, questions } = attempt
      for (const [at, { id, options }] of questions.slice(0, ANSWERS).entries())
        await untilDone(isOver, () =>
          send('PUT', `/api/attempts/${attemptId}/answers/${id}`, {
            answer: selecting(options[0]!.id),
            seq: at + 1,
            writer,
          }),
        )
      if ((await untilDone(isOver, () => send('POST', `/api/attempts/${attemptId}/finish`, { writer }))) !== null)
        submitted.add(attemptId)
      const next = (await untilDone(isOver, () =>
        send('POST', '/api/attempts', { examSlug: EXAM, mode: 'timed', writer }),
      )) as { id: string; questions: Attempt['questions'] } | null
      if (next !== null) begun.add(next.id)
      attempt = next === null ? null : { attemptId: next.id, questions: next.questions }
    }
  }

  return {
    acknowledged: () => submitted.size,
    async run(isOver) {
      await Promise.all(learners.map((learner) => takeExams(learner, isOver)))
    },
    async findFaults(db) {
      const users = await db
        .selectFrom('attempts')
        .where(
          'id',
          'in',
          learners.map(({ attemptId }) => attemptId),
        )
        .select('user_id')
        .execute()
      const rows = await db
        .selectFrom('attempts')
        .where(
          'user_id',
          'in',
          users.map((user) => user.user_id),
        )
        .select(['id', 'state', 'finished_by', 'result'])
        .execute()
      const stored = new Map(rows.map((row) => [row.id, row]))
      const lost = [...submitted]
        .filter((id) => {
          const row = stored.get(id)
          return row?.state !== 'finished' || row.finished_by !== 'learner' || row.result === null
        })
        .map((id) => `${id}: its result was shown and is not stored`)
      // The reply of the last start may have been lost at the end.
      const unknown = rows.filter(({ id, state }) => !begun.has(id) && state === 'finished')
      return [...lost, ...unknown.map(({ id }) => `${id}: finished, and nobody began it`)]
    },
  }
}
