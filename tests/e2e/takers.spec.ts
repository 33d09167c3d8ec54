import type { Answer } from '../../src/features/questions/types/question-types.schema.ts'
import { selecting } from '../support/answers.ts'
import { randomInt } from 'node:crypto'
import { expect, test } from '@playwright/test'
import { startEmbedded } from '../../src/db/embedded/embedded.server.ts'
import { openDatabase } from '../../src/db/open.server.ts'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { makeTakers, type StartedTaker } from '../support/exam-takers.ts'
import { dataFolder, launch, untilReady, type ServerProcess } from './server-process.ts'

const TAKERS = 200
const KILLS = 3
/** Saves that each stretch between two kills sees at the least. */
const SAVES_BETWEEN = 600

type Taker = StartedTaker & {
  /** By question: the newest save that the server acknowledged. */
  readonly acknowledged: Map<string, { seq: number; optionId: string }>
  seq: number
}

test('200 takers, a server killed with -9 three times: every acknowledged answer is there', async () => {
  test.setTimeout(240_000)
  const folder = await dataFolder()
  let server: ServerProcess = launch(folder.path, await freePort())
  await untilReady(server)
  const { url } = server
  const takers = await startTaking(folder.path, url)

  const over = new AbortController()
  let saves = 0
  const taking = takers.map(async (taker) => {
    while (!over.signal.aborted) {
      const question = taker.questions[randomInt(taker.questions.length)]!
      const optionId = question.options[randomInt(question.options.length)]!.id
      taker.seq += 1
      const { seq } = taker
      const reply = await send(url, 'PUT', `/api/attempts/${taker.attemptId}/answers/${question.id}`, taker.cookie, {
        answer: selecting(optionId),
        seq,
        writer: taker.writer,
      })
      // No reply: the server is down. The taker goes on with a newer answer when it is back, as the page does.
      if (reply === null) continue
      expect(reply.status, await reply.clone().text()).toBe(200)
      taker.acknowledged.set(question.id, { seq, optionId })
      saves += 1
    }
  })
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = saves
    await expect
      .poll(() => saves - before, { timeout: 60_000, intervals: [20] })
      .toBeGreaterThan(SAVES_BETWEEN + randomInt(100))
    server.child.kill('SIGKILL')
    await server.ended
    server = launch(folder.path, Number(new URL(url).port))
    await untilReady(server)
  }
  const before = saves
  await expect.poll(() => saves - before, { timeout: 60_000 }).toBeGreaterThan(SAVES_BETWEEN)
  over.abort()
  await Promise.all(taking)

  for (const taker of takers) {
    const reply = await send(url, 'GET', `/api/attempts/${taker.attemptId}`, taker.cookie)
    const { answers } = (await reply!.json()) as { answers: Record<string, { answer: Answer | null; seq: number }> }
    for (const [questionId, { seq, optionId }] of taker.acknowledged) {
      const stored = answers[questionId]
      expect(stored?.seq ?? 0).toBeGreaterThanOrEqual(seq)
      // A greater number is a save that was stored, and whose reply the kill swallowed.
      if (stored?.seq === seq) expect(stored.answer).toEqual(selecting(optionId))
    }
  }
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  await folder.remove()
})

async function startTaking(dataDir: string, url: string): Promise<Taker[]> {
  const embedded = await startEmbedded({ dataDir })
  const database = openDatabase(embedded.url, { connections: 4 })
  const takers = await makeTakers(database.db, { dataDir, url, count: TAKERS, examSlug: 'clf-practice-exam-1' })
  await database.close()
  await embedded.stop()
  return takers.map((taker) => ({ ...taker, acknowledged: new Map(), seq: 0 }))
}

/** Null when no reply came. */
async function send(
  url: string,
  method: string,
  path: string,
  cookie: string,
  body?: object,
): Promise<Response | null> {
  return fetch(`${url}${path}`, {
    method,
    headers: { origin: url, cookie, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => null)
}
