import autocannon from 'autocannon'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase, type OpenDatabase } from '../src/db/open.server.ts'
import { paths } from '../src/lib/paths.ts'
import { NAMES_HEADER, TODAY } from '../src/platform/build-id.ts'
import { makeTakers } from '../tests/support/exam-takers.ts'
import { rawReply, startBare } from './bare.ts'
import { cpuOf, type BenchServer } from './server.ts'
import { figureRow, logged, median, ratioRow, type Row } from './table.ts'

/** Each page is requested by so many learners in turn, each with a session, access and an attempt of their own. */
const LEARNERS = 20
const ROUNDS = 5
const SECONDS = 2
/** A signed-in page costs at most 30 times the bytes alone. */
const FLOOR = 1 / 30

type Learner = { readonly cookie: string; readonly attemptId: string }
type Target = { readonly what: string; pathOf(learner: Learner): string }

/**
 * The pages of signed-in learners, compared with bare node:http that serves the same bytes, alternating; and the list of
 * courses, with and without the former names of fields.
 */
export async function benchSignedIn(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: 4 })
  try {
    const { courseSlug, examSlug } = await largestExam(database)
    const learners = await makeReviewers(database, server, examSlug)
    const targets: Target[] = [
      { what: 'home', pathOf: () => paths.home },
      { what: 'a course', pathOf: () => paths.course(courseSlug) },
      { what: 'My Courses', pathOf: () => paths.myCourses },
      { what: 'the start of an exam', pathOf: () => paths.exam(courseSlug, examSlug) },
      { what: 'a review', pathOf: ({ attemptId }) => paths.examReview(attemptId) },
    ]
    const rows: Row[] = []
    for (const target of targets) rows.push(...(await benchTarget(server, target, learners)).map(logged))
    for (const names of [{}, { [NAMES_HEADER]: TODAY }] as Record<string, string>[])
      for (const encoding of ['identity', 'gzip', 'br'])
        rows.push(logged(await benchCourses(server.url, { ...names, 'accept-encoding': encoding })))
    return rows
  } finally {
    await database.close()
    await embedded.stop()
  }
}

export async function largestExam({ pool }: OpenDatabase): Promise<{ courseSlug: string; examSlug: string }> {
  const { rows } = await pool.query<{ courseSlug: string; examSlug: string }>(
    `select courses.slug as "courseSlug", test_questions.slug as "examSlug"
     from test_questions join courses on courses.id = test_questions.course_id
     where is_current_version and courses.status = 'published' and not is_free_trial
     order by question_count desc, test_questions.id limit 1`,
  )
  if (rows[0] === undefined) throw new Error('the catalogue has no exam')
  return rows[0]
}

/** Learners who have taken the exam once and chose the first option of each choice question. */
export async function makeReviewers(
  { db }: OpenDatabase,
  { url, dataDir }: BenchServer,
  examSlug: string,
): Promise<Learner[]> {
  const takers = await makeTakers(db, { dataDir, url, count: LEARNERS, examSlug })
  for (const { attemptId, cookie, writer, questions } of takers) {
    const choices = questions.filter(({ type }) => type === 'choice')
    const answers = Object.fromEntries(
      choices.map(({ id, options }) => [
        id,
        { answer: { type: 'choice', optionIds: [options[0]?.id] }, isFlagged: false, seq: 1, writer },
      ]),
    )
    const reply = await fetch(`${url}/api/attempts/${attemptId}/finish`, {
      method: 'POST',
      headers: { origin: url, cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ writer, answers }),
    })
    if (!reply.ok) throw new Error(`could not finish: ${await reply.text()}`)
  }
  return takers
}

async function benchTarget(
  server: BenchServer,
  { what, pathOf }: Target,
  learners: readonly Learner[],
): Promise<Row[]> {
  const { url } = server
  const requests = learners.map((learner) => ({
    path: pathOf(learner),
    headers: { cookie: learner.cookie, 'accept-encoding': 'gzip, deflate, br' },
  }))
  const reply = await rawReply(`${url}${requests[0]?.path}`, requests[0]?.headers ?? {})
  const bare = await startBare(reply.body)
  const ours: Measured[] = []
  const machine: Measured[] = []
  try {
    // The first round warms up and does not count.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const [one, limit] = [await measure(server, requests), await measure(bare, requests)]
      if (round === 0) continue
      ours.push(one)
      machine.push(limit)
    }
  } finally {
    await bare.stop()
  }
  const rates = ours.map(({ rate }) => rate)
  const spread = `${Math.round(Math.min(...rates))} to ${Math.round(Math.max(...rates))}`
  const [cpu, bareCpu] = [ours, machine].map((all) => median(all.map(({ cpuMs }) => cpuMs))) as [number, number]
  const against = `${what} for ${LEARNERS} learners, against bare node:http (${reply.body.byteLength} bytes, ${reply.encoding})`
  return [
    ratioRow(`${against}, ${spread}`, median(rates), median(machine.map(({ rate }) => rate)), FLOOR, 'requests/s'),
    figureRow(`CPU of ${what}: server with database / bare`, `${cpu.toFixed(2)} ms / ${bareCpu.toFixed(2)} ms`),
  ]
}

/** Rates suffer from whatever else the machine does, and the database more than a single process; CPU time hardly does. */
type Measured = { readonly rate: number; readonly cpuMs: number }

async function measure(of: { url: string; pid: number }, requests: readonly PageRequest[]): Promise<Measured> {
  const before = await cpuOf(of.pid)
  const { rate, total } = await load(of.url, requests)
  const after = await cpuOf(of.pid)
  return { rate, cpuMs: (after.serverMs - before.serverMs + after.databaseMs - before.databaseMs) / total }
}

async function benchCourses(url: string, headers: Record<string, string>): Promise<Row> {
  const rates: number[] = []
  for (let round = 0; round < 3; round += 1) rates.push((await load(url, [{ path: '/api/courses', headers }])).rate)
  const names = NAMES_HEADER in headers ? 'names of today' : 'former names too'
  return figureRow(`/api/courses, ${names}, ${headers['accept-encoding']}`, `${Math.round(median(rates))} calls/s`)
}

type PageRequest = { readonly path: string; readonly headers: Record<string, string> }

async function load(url: string, requests: readonly PageRequest[]): Promise<{ rate: number; total: number }> {
  const result = await autocannon({ url, connections: 16, duration: SECONDS, requests: [...requests] })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}${requests[0]?.path}: ${result.non2xx} refusals, ${result.errors} errors`)
  return { rate: result.requests.average, total: result.requests.total }
}
