import { get, request, Agent, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type pg from 'pg'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase, type OpenDatabase } from '../src/db/open.server.ts'
import { findExam } from '../src/features/catalogue/catalogue-queries.server.ts'
import { paths } from '../src/lib/paths.ts'
import { makeLearner } from '../tests/support/exam-takers.ts'
import { inTurns } from './in-turns.ts'
import { record } from './recorded.ts'
import { cpuOf, type BenchServer } from './server.ts'
import { largestExam } from './signed-in.ts'
import { comparedRow, figureRow, logged, type Row } from './table.ts'

const LEARNERS = 120
const AT_ONCE = 16
/** Each learner saves so many answers, more than once each. */
const SAVES = 60
const PAGES = 1_000
const ORDERS = 60
const STREAMS = 1_000
const STREAM_SECONDS = 30
const NOTIFY_ROUNDS = 7
const NOTIFY_SECONDS = 2
const NOTIFY_CONNECTIONS = 16

/** What one of something costs. Bytes are those on the wire, headers included; the log is PostgreSQL's. */
export type Cost = {
  readonly serverMs: number
  readonly databaseMs: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly walBytes: number
}

type Learner = { readonly cookie: string; attemptId: string; questions: readonly AskedQuestion[] }
type AskedQuestion = {
  readonly id: string
  readonly type: string
  readonly options?: readonly { readonly id: string }[]
}
type Call = { readonly method: string; readonly path: string; readonly cookie: string; readonly body?: object }

/** CPU, bytes and log of a save, a start, a submission, pages, a stream and an order, for the plan in docs/scaling.md. */
export async function benchCosts(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: NOTIFY_CONNECTIONS })
  try {
    const meter = new Meter(server, database)
    const costs = {
      ...(await costsOfExams(meter, server, database)),
      ...(await costsOfOrders(meter, server, database)),
    }
    const streams = await costOfStreams(server)
    const notify = await costOfNotify(database.pool)
    const { rows: used } = await database.pool.query<{ count: number }>(
      "select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name = ''",
    )
    await record('costs', { costs, streams, notify: notify.ratio, connections: used[0]?.count })
    return [
      ...Object.entries(costs).map(([what, cost]) =>
        figureRow(`${what}: CPU of server + database; bytes in, out; log`, textOf(cost)),
      ),
      figureRow(
        'an open stream for a minute: CPU of the server, bytes out',
        `${streams.serverMs.toFixed(3)} ms, ${Math.round(streams.bytesOut)}`,
      ),
      notify.row,
      figureRow('connections to the database under this load, this bench included', String(used[0]?.count)),
    ].map(logged)
  } finally {
    await database.close()
    await embedded.stop()
  }
}

const textOf = ({ serverMs, databaseMs, bytesIn, bytesOut, walBytes }: Cost) =>
  `${serverMs.toFixed(2)} + ${databaseMs.toFixed(2)} ms; ${Math.round(bytesIn)}, ${Math.round(bytesOut)}; ${Math.round(walBytes)}`

/** Runs calls and says what each cost. */
class Meter {
  readonly #server: BenchServer
  readonly #pool: pg.Pool
  readonly #agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  readonly #sockets = new Set<Socket>()

  constructor(server: BenchServer, { pool }: OpenDatabase) {
    this.#server = server
    this.#pool = pool
  }

  async measure(calls: readonly Call[]): Promise<{ cost: Cost; replies: string[] }> {
    const before = { cpu: await cpuOf(this.#server.pid), wal: await this.#wal(), bytes: this.#bytes() }
    const replies: string[] = []
    let next = 0
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let at = next++; at < calls.length; at = next++) replies[at] = await this.#send(calls[at]!)
      }),
    )
    const after = { cpu: await cpuOf(this.#server.pid), wal: await this.#wal(), bytes: this.#bytes() }
    const each = (difference: number) => difference / calls.length
    const cost = {
      serverMs: each(after.cpu.serverMs - before.cpu.serverMs),
      databaseMs: each(after.cpu.databaseMs - before.cpu.databaseMs),
      bytesIn: each(after.bytes.in - before.bytes.in),
      bytesOut: each(after.bytes.out - before.bytes.out),
      walBytes: each(after.wal - before.wal),
    }
    return { cost, replies }
  }

  #send({ method, path, cookie, body }: Call): Promise<string> {
    const text = body === undefined ? '' : JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const sent = request(
        `${this.#server.url}${path}`,
        {
          method,
          agent: this.#agent,
          headers: {
            cookie,
            origin: this.#server.url,
            'accept-encoding': 'gzip',
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          },
        },
        (reply) => {
          const chunks: Buffer[] = []
          reply.on('data', (chunk: Buffer) => chunks.push(chunk))
          reply.on('end', () => {
            const body = Buffer.concat(chunks)
            const isPacked = reply.headers['content-encoding'] === 'gzip'
            if (reply.statusCode === 200) resolve((isPacked ? gunzipSync(body) : body).toString())
            else reject(new Error(`${path}: ${reply.statusCode}`))
          })
        },
      )
      sent.on('socket', (socket) => void this.#sockets.add(socket))
      sent.on('error', reject)
      sent.end(text)
    })
  }

  #bytes() {
    const all = [...this.#sockets]
    const sum = (of: (socket: Socket) => number) => all.reduce((total, socket) => total + of(socket), 0)
    return { in: sum(({ bytesWritten }) => bytesWritten), out: sum(({ bytesRead }) => bytesRead) }
  }

  async #wal(): Promise<number> {
    const { rows } = await this.#pool.query<{ bytes: number }>(
      "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes",
    )
    return rows[0]!.bytes
  }
}

async function costsOfExams(meter: Meter, server: BenchServer, { db, pool }: OpenDatabase) {
  const { courseSlug, examSlug } = await largestExam({ pool } as OpenDatabase)
  const exam = await findExam(db, examSlug)
  if (exam === null) throw new Error(`no exam ${examSlug}`)
  const learners: Learner[] = []
  for (let number = 0; number < LEARNERS; number += 1) {
    const { cookie } = await makeLearner(db, { dataDir: server.dataDir, courseId: exam.courseId })
    learners.push({ cookie: `${cookie.name}=${cookie.value}`, attemptId: '', questions: [] })
  }
  const start = ({ cookie }: Learner): Call => ({
    method: 'POST',
    path: '/api/attempts',
    cookie,
    body: { examSlug, mode: 'timed', writer: 'bench' },
  })
  const page = (path: string, count: number, of: readonly Learner[] = learners): Call[] =>
    Array.from({ length: count }, (_, at) => ({ method: 'GET', path, cookie: of[at % of.length]?.cookie ?? '' }))
  const half = learners.slice(0, LEARNERS / 2)
  await pool.query('checkpoint').catch(() => undefined)
  const warm = await meter.measure(half.map(start))
  const started = await meter.measure(learners.slice(LEARNERS / 2).map(start))
  for (const [at, reply] of [...warm.replies, ...started.replies].entries()) {
    const attempt = JSON.parse(reply) as { id: string; questions: AskedQuestion[] }
    Object.assign(learners[at]!, { attemptId: attempt.id, questions: attempt.questions })
  }
  await meter.measure(savesOf(learners, 0, 10))
  const saved = await meter.measure(savesOf(learners, 10, SAVES))
  const finish = ({ cookie, attemptId }: Learner): Call => ({
    method: 'POST',
    path: `/api/attempts/${attemptId}/finish`,
    cookie,
    body: { writer: 'bench', answers: {} },
  })
  await meter.measure(half.map(finish))
  const submitted = await meter.measure(learners.slice(LEARNERS / 2).map(finish))
  const review = ({ cookie, attemptId }: Learner): Call => ({
    method: 'GET',
    path: paths.examReview(attemptId),
    cookie,
  })
  await meter.measure(half.map(review))
  const reviewed = await meter.measure(learners.slice(LEARNERS / 2).map(review))
  const guest = [{ cookie: '', attemptId: '', questions: [] }]
  await meter.measure(page(paths.home, 100, guest))
  const home = await meter.measure(page(paths.home, PAGES, guest))
  await meter.measure(page(paths.myCourses, 100))
  const myCourses = await meter.measure(page(paths.myCourses, PAGES))
  await meter.measure(page(paths.course(courseSlug), 100))
  const coursePage = await meter.measure(page(paths.course(courseSlug), PAGES))
  return {
    'a save': saved.cost,
    'a start': started.cost,
    'a submission': submitted.cost,
    'the first view of a review': reviewed.cost,
    'a page of guests': home.cost,
    'My Courses': myCourses.cost,
    'a course of a learner': coursePage.cost,
  }
}

function savesOf(learners: readonly Learner[], from: number, to: number): Call[] {
  const choices = (learner: Learner) => learner.questions.filter(({ type }) => type === 'choice')
  return Array.from({ length: to - from }, (_, step) => from + step).flatMap((seq) =>
    learners.map((learner): Call => {
      const own = choices(learner)
      const question = own[seq % own.length]!
      const optionId = question.options?.[seq % question.options.length]?.id
      return {
        method: 'PUT',
        path: `/api/attempts/${learner.attemptId}/answers/${question.id}`,
        cookie: learner.cookie,
        body: {
          answer: { type: 'choice', optionIds: [optionId] },
          isFlagged: false,
          struck: [],
          seq: seq + 1,
          writer: 'bench',
        },
      }
    }),
  )
}

/** An order up to the payment page. The payment provider is the emulator in the same process, whose cost is included. */
async function costsOfOrders(meter: Meter, server: BenchServer, { db, pool }: OpenDatabase) {
  const { rows } = await pool.query<{ id: string; price: string }>(
    "select id, price from courses where status = 'published' and price > 0 limit 1",
  )
  const course = rows[0]!
  const buyers: string[] = []
  for (let number = 0; number < ORDERS; number += 1) {
    const { cookie } = await makeLearner(db, { dataDir: server.dataDir, courseId: course.id as never })
    buyers.push(`${cookie.name}=${cookie.value}`)
  }
  const order = (cookie: string): Call => ({
    method: 'POST',
    path: '/api/functions/create-cart-payment',
    cookie,
    body: { cartItems: [{ id: course.id, quantity: 1, price: Number(course.price) }] },
  })
  await meter.measure(buyers.slice(0, ORDERS / 2).map(order))
  const ordered = await meter.measure(buyers.slice(ORDERS / 2).map(order))
  return { 'an order': ordered.cost }
}

async function costOfStreams(server: BenchServer) {
  const open: { close(): void; bytes(): number }[] = []
  while (open.length < STREAMS)
    open.push(...(await Promise.all(Array.from({ length: 100 }, () => openStream(server.url)))))
  await wait(5_000)
  const before = await cpuOf(server.pid)
  const bytes = () => open.reduce((total, stream) => total + stream.bytes(), 0)
  const bytesBefore = bytes()
  await wait(STREAM_SECONDS * 1000)
  const after = await cpuOf(server.pid)
  const perMinute = (difference: number) => (difference / STREAMS / STREAM_SECONDS) * 60
  const cost = {
    serverMs: perMinute(after.serverMs - before.serverMs),
    bytesOut: perMinute(bytes() - bytesBefore),
  }
  for (const stream of open) stream.close()
  return cost
}

function openStream(url: string): Promise<{ close(): void; bytes(): number }> {
  return new Promise((resolve, reject) => {
    const sent = get(`${url}/api/realtime`, { agent: false }, (reply: IncomingMessage) => {
      reply.resume()
      reply.on('error', () => undefined)
      if (reply.statusCode !== 200) reject(new Error(`a stream was refused: ${reply.statusCode}`))
      resolve({ close: () => void sent.destroy(), bytes: () => reply.socket.bytesRead })
    })
    sent.on('error', reject)
  })
}

/** PostgreSQL commits transactions that notify one after the other: so many fewer fit into a second. */
async function costOfNotify(pool: pg.Pool) {
  await pool.query('create table if not exists bench_notify (id bigserial, at timestamptz)')
  const write = 'insert into bench_notify (at) values (now())'
  const notifying = `with notified as (select pg_notify('bench', '')) ${write.replace('values (now())', 'select now() from notified')}`
  const pairs = await inTurns(NOTIFY_ROUNDS, ['ours', 'machine'], (side) =>
    commitsPerSecond(pool, side === 'ours' ? notifying : write),
  )
  await pool.query('drop table bench_notify')
  const row = comparedRow(
    `commits of one row with a notification against without, ${NOTIFY_CONNECTIONS} connections`,
    pairs,
    'commits/s',
  )
  const perSecond = pairs.map(({ ours }) => ours).toSorted((a, b) => a - b)[Math.floor(pairs.length / 2)] ?? 0
  return { row, ratio: { row: row.measured, perSecond } }
}

async function commitsPerSecond(pool: pg.Pool, text: string): Promise<number> {
  let done = 0
  const startedAt = performance.now()
  const over = AbortSignal.timeout(NOTIFY_SECONDS * 1000)
  await Promise.all(
    Array.from({ length: NOTIFY_CONNECTIONS }, async () => {
      while (!over.aborted) {
        await pool.query(text)
        done += 1
      }
    }),
  )
  return done / ((performance.now() - startedAt) / 1000)
}
