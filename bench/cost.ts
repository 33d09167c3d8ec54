import { setTimeout as wait } from 'node:timers/promises'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase, type OpenDatabase } from '../src/db/open.server.ts'
import { findExam } from '../src/features/catalogue/catalogue-queries.server.ts'
import type { CourseId } from '../src/lib/ids.ts'
import { paths } from '../src/lib/paths.ts'
import { makeLearner } from '../tests/support/exam-takers.ts'
import { cpuOf, dataFolder, memoryOf, startServer, type BenchServer } from './server.ts'
import { largestExam } from './signed-in.ts'
import { figureRow, limitRow, logged, type Row } from './table.ts'

const IDLE_MB = 250
/** After a start or a load, the collector and the database's idle connections take a moment to come to rest. */
const REST_MS = 10_000
const READERS = 1_000
const AT_ONCE = 8
const LEARNERS = 40
const ADMIN_LISTS = ['/admin/course-management', '/admin/manage-users', '/admin/orders', '/admin/audit']

type Reader = { readonly cookie: string }

/** What the shop costs: memory at rest and with a thousand signed-in readers, and CPU of what is not kept for the next request. */
export async function benchCost(): Promise<Row[]> {
  const folder = await dataFolder()
  try {
    await (await startServer(folder.path)).stop()
    const server = await startServer(folder.path)
    await wait(REST_MS)
    const idle = await memoryOf(server.pid)
    const rows = [
      logged(limitRow('memory idle: server and database (PSS)', total(idle), IDLE_MB, 'MB', 0)),
      ...(await withDatabase(server, async (database) => [
        ...(await benchCpu(server, database)),
        ...(await benchReaders(server, database)),
      ])),
    ]
    await server.stop()
    return rows
  } finally {
    await folder.remove()
  }
}

const total = ({ serverMb, databaseMb }: Awaited<ReturnType<typeof memoryOf>>) => serverMb + databaseMb

async function withDatabase<Result>(server: BenchServer, use: (database: OpenDatabase) => Promise<Result>) {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: 2 })
  try {
    return await use(database)
  } finally {
    await database.close()
    await embedded.stop()
  }
}

/** A thousand people read home, the course and My Courses; then a thousand others do, when all code has run and caches are full. */
async function benchReaders(server: BenchServer, database: OpenDatabase): Promise<Row[]> {
  const { courseSlug, courseId } = await findCourse(database)
  const rows: Row[] = []
  let before = await memoryOf(server.pid)
  for (const which of ['first', 'second']) {
    const readers = await makeReaders(server, database, { count: READERS, courseId })
    for (const path of [paths.home, paths.course(courseSlug), paths.myCourses])
      await callAll(readers, ({ cookie }) => fetch(`${server.url}${path}`, { headers: { cookie } }))
    await wait(REST_MS)
    const now = await memoryOf(server.pid)
    const grown = `${Math.round(now.serverMb - before.serverMb)} MB / ${Math.round(now.databaseMb - before.databaseMb)} MB`
    rows.push(logged(figureRow(`memory for the ${which} 1,000 signed-in readers: server / database`, grown)))
    before = now
  }
  return rows
}

async function findCourse(database: OpenDatabase) {
  const { courseSlug, examSlug } = await largestExam(database)
  const exam = await findExam(database.db, examSlug)
  if (exam === null) throw new Error(`the catalogue has no exam ${examSlug}`)
  return { courseSlug, examSlug, courseId: exam.courseId }
}

async function makeReaders(
  { dataDir }: BenchServer,
  { db }: OpenDatabase,
  { count, courseId }: { count: number; courseId: CourseId },
): Promise<Reader[]> {
  const readers: Reader[] = []
  for (let number = 0; number < count; number += 1) {
    const { cookie } = await makeLearner(db, { dataDir, courseId })
    readers.push({ cookie: `${cookie.name}=${cookie.value}` })
  }
  return readers
}

/** The CPU of an exam's start, of a review that nobody saw before, and of a page of an admin's list. */
async function benchCpu(server: BenchServer, database: OpenDatabase): Promise<Row[]> {
  const { courseId, examSlug } = await findCourse(database)
  const learners = await makeReaders(server, database, { count: LEARNERS, courseId })
  const post = (path: string, cookie: string, body: object) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { origin: server.url, cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const attempts = new Map<string, string>()
  const start = async ({ cookie }: Reader) => {
    const reply = await post('/api/attempts', cookie, { examSlug, mode: 'timed', writer: 'bench' })
    attempts.set(cookie, ((await reply.clone().json()) as { id: string }).id)
    return reply
  }
  const review = ({ cookie }: Reader) =>
    fetch(`${server.url}${paths.examReview(attempts.get(cookie) ?? '')}`, { headers: { cookie } })
  const rows = [await cpuRow(server, 'an exam start', learners, start)]
  await callAll(learners, ({ cookie }) =>
    post(`/api/attempts/${attempts.get(cookie)}/finish`, cookie, { writer: 'bench', answers: {} }),
  )
  rows.push(await cpuRow(server, 'the first view of a review', learners, review))
  const [admin] = await makeReaders(server, database, { count: 1, courseId })
  await database.db
    .updateTable('profiles')
    .set({ role: 'admin' })
    .where('id', '=', (eb) => eb.selectFrom('users').orderBy('created_at', 'desc').limit(1).select('id'))
    .execute()
  const looks = Array.from({ length: LEARNERS }, (_, look) => ({
    cookie: admin?.cookie ?? '',
    path: ADMIN_LISTS[look % ADMIN_LISTS.length] ?? '',
  }))
  rows.push(
    await cpuRow(server, 'a page of an admin list', looks, ({ cookie, path }) =>
      fetch(`${server.url}${path}`, { headers: { cookie }, redirect: 'manual' }),
    ),
  )
  return rows
}

/** The first half of the calls warms up and does not count. */
async function cpuRow<Given>(
  server: BenchServer,
  what: string,
  all: readonly Given[],
  call: (given: Given) => Promise<Response>,
): Promise<Row> {
  const half = all.length / 2
  await callAll(all.slice(0, half), call)
  const before = await cpuOf(server.pid)
  await callAll(all.slice(half), call)
  const after = await cpuOf(server.pid)
  const each = (key: 'serverMs' | 'databaseMs') => ((after[key] - before[key]) / half).toFixed(1)
  return logged(figureRow(`CPU of ${what}: server / database`, `${each('serverMs')} ms / ${each('databaseMs')} ms`))
}

async function callAll<Given>(all: readonly Given[], call: (given: Given) => Promise<Response>): Promise<void> {
  const waiting = [...all]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let given = waiting.pop(); given !== undefined; given = waiting.pop()) {
        const reply = await call(given)
        const text = await reply.text()
        if (reply.status !== 200) throw new Error(`${reply.url}: ${reply.status} ${text.slice(0, 200)}`)
      }
    }),
  )
}
