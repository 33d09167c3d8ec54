import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { sql } from 'kysely'
import type pg from 'pg'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase } from '../src/db/open.server.ts'
import { sessionCookieValue } from '../src/features/accounts/sessions/session-cookie-queries.server.ts'
import { createAccount } from '../src/features/accounts/accounts-commands.server.ts'
import { openSession } from '../src/features/accounts/sessions/sessions-commands.server.ts'
import { grantAccess } from '../src/features/access/access-commands.server.ts'
import { answerKeyOf } from '../src/features/questions/types/grading-registry.ts'
import { Answer, type Question } from '../src/features/questions/types/question-types.schema.ts'
import { findExam, getExamQuestions } from '../src/features/catalogue/catalogue-queries.server.ts'
import { cpuOf, type BenchServer } from './server.ts'
import { figureRow, median, pairedRow, ratioRow, type Row } from './table.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const TAKERS = 200
const CONNECTIONS = 32
const SECONDS = 4
const ROUNDS = 5
/** Of the machine's raw writes. */
const LEAST_SHARE = 0.5
const WARM_UP_SECONDS = 2

export type Taker = {
  readonly cookie: string
  readonly attemptId: string
  /** The answers that are saved in turns. */
  readonly questions: readonly { readonly id: string; readonly answers: readonly Answer[] }[]
  seq: number
}

/**
 * Answers saved by 200 takers over HTTP, first to choices alone and then to questions of every type, compared with raw single-row
 * upserts on the same database, alternating.
 */
export async function benchSaves(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: CONNECTIONS })
  try {
    const takers = await makeTakers(server, database, 'question_count')
    const mixedTakers = await makeTakers(server, database, 'types')
    await database.pool.query(
      'create table if not exists bench_upserts (attempt_id uuid, question_id text, selection text[], seq bigint, saved_at timestamptz, primary key (attempt_id, question_id))',
    )
    await rawUpserts(database.pool, takers, WARM_UP_SECONDS)
    await savesOverHttp(server.url, takers, WARM_UP_SECONDS)
    await savesOverHttp(server.url, mixedTakers, WARM_UP_SECONDS)
    const rounds: { raw: Measured; ours: Measured; mixed: Measured }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({
        raw: await withCpu(server, () => rawUpserts(database.pool, takers, SECONDS)),
        ours: await withCpu(server, () => savesOverHttp(server.url, takers, SECONDS)),
        mixed: await withCpu(server, () => savesOverHttp(server.url, mixedTakers, SECONDS)),
      })
    }
    await database.pool.query('drop table bench_upserts')
    const raw = rounds.map((round) => round.raw)
    const ours = rounds.map((round) => round.ours)
    // Both sides of a round run under the same load of the machine, so take the round with the median ratio.
    const typical = rounds.toSorted((a, b) => ratioOf(a) - ratioOf(b))[Math.floor(ROUNDS / 2)]!
    const againstRaw = rounds.map((round) => ({ ours: round.mixed.perSecond, machine: round.raw.perSecond }))
    const againstChoices = rounds.map((round) => round.mixed.perSecond / round.ours.perSecond)
    return [
      ratioRow(
        `saves of answers, ${TAKERS} takers, against raw single-row upserts`,
        typical.ours.perSecond,
        typical.raw.perSecond,
        LEAST_SHARE,
        'writes/s',
      ),
      pairedRow('the same with questions of every type', againstRaw, LEAST_SHARE, 'writes/s'),
      figureRow('questions of every type against choices alone', median(againstChoices).toFixed(2)),
      figureRow('p99 of a save', `${median(ours.map(({ p99 }) => p99)).toFixed(0)} ms`),
      figureRow('CPU of a save: server + database + load', cpuText(ours)),
      figureRow('CPU of a raw upsert: server + database + load', cpuText(raw)),
    ]
  } finally {
    await database.close()
    await embedded.stop()
  }
}

type Round = { readonly perSecond: number; readonly count: number; readonly p99: number; readonly meanMs: number }
type Measured = Round & { readonly serverMs: number; readonly databaseMs: number; readonly loadMs: number }

/** Adds the CPU time per write, which hardly depends on other programs on the machine. */
async function withCpu(server: BenchServer, round: () => Promise<Round>): Promise<Measured> {
  const before = await cpuOf(server.pid)
  const done = await round()
  const after = await cpuOf(server.pid)
  return {
    ...done,
    serverMs: (after.serverMs - before.serverMs) / done.count,
    databaseMs: (after.databaseMs - before.databaseMs) / done.count,
    loadMs: (after.loadMs - before.loadMs) / done.count,
  }
}

function ratioOf({ raw, ours }: { raw: Measured; ours: Measured }): number {
  return ours.perSecond / raw.perSecond
}

function cpuText(rounds: readonly Measured[]): string {
  const of = (part: (round: Measured) => number) => median(rounds.map(part)).toFixed(3)
  return `${of(({ serverMs }) => serverMs)} + ${of(({ databaseMs }) => databaseMs)} + ${of(({ loadMs }) => loadMs)} ms`
}

/** @param most what the exam has most of: questions, which are choices in the demo's exams, or types of them */
export async function makeTakers(
  server: Pick<BenchServer, 'url' | 'dataDir'>,
  { db }: ReturnType<typeof openDatabase>,
  most: 'question_count' | 'types',
): Promise<Taker[]> {
  const secret = (await readFile(join(server.dataDir, 'auth-secret'), 'utf8')).trim()
  const { slug } = await db
    .selectFrom('test_questions')
    .select('slug')
    .orderBy(most === 'types' ? typeCount : sql`question_count`, 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const exam = await findExam(db, slug)
  if (exam === null) throw new Error(`no exam ${slug}`)
  const questions = (await getExamQuestions(db, exam.id)).map((question) => ({
    id: question.id,
    answers: answersTo(question),
  }))
  const takers: Taker[] = []
  for (let number = 0; number < TAKERS; number += 1) {
    const id = await createAccount(db, {
      name: 'Taker',
      email: `taker-${randomUUID()}@example.com`,
      passwordHash: '',
      isVerified: true,
    })
    const now = new Date()
    await grantAccess(db, {
      userId: id,
      courseId: exam.courseId,
      source: 'grant',
      orderLineId: null,
      seatCode: null,
      now,
    })
    const token = await openSession(db, { userId: id, now, networkAddress: '127.0.0.1', userAgent: 'bench' })
    const cookie = `altocert.session_token=${encodeURIComponent(sessionCookieValue(token, secret))}`
    const reply = await fetch(`${server.url}/api/attempts`, {
      method: 'POST',
      headers: { cookie, origin: server.url, 'content-type': 'application/json' },
      body: JSON.stringify({ examSlug: slug, mode: 'timed' }),
    })
    if (!reply.ok) throw new Error(`could not start: ${await reply.text()}`)
    const attempt = (await reply.json()) as { id: string }
    takers.push({ cookie, attemptId: attempt.id, questions, seq: 0 })
  }
  return takers
}

const typeCount = sql`(select count(distinct one ->> 'type') from jsonb_array_elements(questions::jsonb) one)`

/** Each option of a single choice; of other questions the right answer. */
function answersTo(question: Question): Answer[] {
  const key = Answer.parse(answerKeyOf(question))
  if (key.type !== 'choice' || question.type !== 'choice') return [key]
  return question.options.map(({ id }) => ({ ...key, optionIds: [id] }))
}

/** The machine's limit: the same rows, written one by one on as many connections. */
async function rawUpserts(pool: pg.Pool, takers: readonly Taker[], seconds: number): Promise<Round> {
  let written = 0
  const startedAt = performance.now()
  const over = AbortSignal.timeout(seconds * 1000)
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, worker) => {
      for (let number = worker; !over.aborted; number += CONNECTIONS) {
        const taker = takers[number % takers.length]!
        const question = taker.questions[Math.floor(number / takers.length) % taker.questions.length]!
        await pool.query(
          `insert into bench_upserts values ($1, $2, $3, $4, $5)
           on conflict (attempt_id, question_id) do update set selection = excluded.selection, seq = excluded.seq, saved_at = excluded.saved_at`,
          [taker.attemptId, question.id, [JSON.stringify(question.answers[0])], number, new Date()],
        )
        written += 1
      }
    }),
  )
  return {
    perSecond: written / ((performance.now() - startedAt) / 1000),
    count: written,
    p99: Number.NaN,
    meanMs: Number.NaN,
  }
}

/** @param connections how many saves are under way at once */
export async function savesOverHttp(
  url: string,
  takers: readonly Taker[],
  seconds: number,
  connections = CONNECTIONS,
): Promise<Round> {
  let number = 0
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        method: 'PUT',
        setupRequest(request) {
          number += 1
          const taker = takers[number % takers.length]!
          const question = taker.questions[Math.floor(number / takers.length) % taker.questions.length]!
          taker.seq += 1
          const answer = question.answers[taker.seq % question.answers.length]!
          return {
            ...request,
            path: `/api/attempts/${taker.attemptId}/answers/${question.id}`,
            headers: { cookie: taker.cookie, origin: url, 'content-type': 'application/json' },
            body: JSON.stringify({
              answer,
              isFlagged: false,
              struck: [],
              seq: taker.seq,
              writer: 'bench',
            }),
          }
        },
      },
    ],
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`saving: ${result.non2xx} refusals, ${result.errors} errors`)
  return {
    perSecond: result.requests.average,
    count: result.requests.total,
    p99: result.latency.p99,
    meanMs: result.latency.average,
  }
}
