import autocannon from 'autocannon'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase, type OpenDatabase } from '../src/db/open.server.ts'
import { paths } from '../src/lib/paths.ts'
import { NAMES_HEADER, TODAY } from '../src/platform/build-id.ts'
import { makeTakers } from '../tests/support/exam-takers.ts'
import { rawReply, startBare } from './bare.ts'
import type { BenchServer } from './server.ts'
import { figureRow, logged, median, ratioRow, type Row } from './table.ts'

/** Each page is requested by so many learners in turn, each with a session, access and an attempt of their own. */
const LEARNERS = 20
const ROUNDS = 5
const SECONDS = 2
/** A signed-in page costs at most 30 times the bytes alone. */
const FLOOR = 1 / 30

type Learner = { readonly cookie: string; readonly attemptId: string }
type Target = { readonly what: string; pathOf(learner: Learner): string; readonly floor: number | null }

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
      { what: 'home', pathOf: () => paths.home, floor: FLOOR },
      { what: 'a course', pathOf: () => paths.course(courseSlug), floor: FLOOR },
      { what: 'My Courses', pathOf: () => paths.myCourses, floor: FLOOR },
      { what: 'the start of an exam', pathOf: () => paths.exam(courseSlug, examSlug), floor: FLOOR },
      { what: 'a review', pathOf: ({ attemptId }) => paths.examReview(attemptId), floor: FLOOR },
    ]
    const rows: Row[] = []
    for (const target of targets) rows.push(logged(await benchTarget(server.url, target, learners)))
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

/** Learners who have taken the exam once, each answer the first option. */
export async function makeReviewers(
  { db }: OpenDatabase,
  { url, dataDir }: BenchServer,
  examSlug: string,
): Promise<Learner[]> {
  const takers = await makeTakers(db, { dataDir, url, count: LEARNERS, examSlug })
  for (const { attemptId, cookie, writer, questions } of takers) {
    const answers = Object.fromEntries(
      questions.map(({ id, options }) => [
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

async function benchTarget(url: string, { what, pathOf, floor }: Target, learners: readonly Learner[]): Promise<Row> {
  const requests = learners.map((learner) => ({
    path: pathOf(learner),
    headers: { cookie: learner.cookie, 'accept-encoding': 'gzip, deflate, br' },
  }))
  const reply = await rawReply(`${url}${requests[0]?.path}`, requests[0]?.headers ?? {})
  const bare = await startBare(reply.body)
  const ours: number[] = []
  const machine: number[] = []
  try {
    // The first round warms up and does not count.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const [rate, limit] = [await requestsPerSecond(url, requests), await requestsPerSecond(bare.url, requests)]
      if (round === 0) continue
      ours.push(rate)
      machine.push(limit)
    }
  } finally {
    await bare.stop()
  }
  const name = `${what} for ${LEARNERS} learners, against bare node:http (${reply.body.byteLength} bytes, ${reply.encoding})`
  const spread = `${Math.round(Math.min(...ours))} to ${Math.round(Math.max(...ours))}`
  if (floor === null) return figureRow(name, `${Math.round(median(ours))} requests/s, ${spread}`)
  return ratioRow(`${name}, ${spread}`, median(ours), median(machine), floor, 'requests/s')
}

async function benchCourses(url: string, headers: Record<string, string>): Promise<Row> {
  const rates: number[] = []
  for (let round = 0; round < 3; round += 1)
    rates.push(await requestsPerSecond(url, [{ path: '/api/courses', headers }]))
  const names = NAMES_HEADER in headers ? 'names of today' : 'former names too'
  return figureRow(`/api/courses, ${names}, ${headers['accept-encoding']}`, `${Math.round(median(rates))} calls/s`)
}

async function requestsPerSecond(
  url: string,
  requests: readonly { path: string; headers: Record<string, string> }[],
): Promise<number> {
  const result = await autocannon({ url, connections: 16, duration: SECONDS, requests: [...requests] })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}${requests[0]?.path}: ${result.non2xx} refusals, ${result.errors} errors`)
  return result.requests.average
}
