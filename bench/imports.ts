import { zipSync } from 'fflate'
import { startEmbedded } from '../src/db/embedded.server.ts'
import { openDatabase, type OpenDatabase } from '../src/db/open.server.ts'
import { hashPassword } from '../src/features/accounts/gateway.server.ts'
import { ensureAdmin } from '../src/features/accounts/write.server.ts'
import { writeBank } from '../src/features/questions/formats/bank.ts'
import { EXPORT_FORMATS, type ExamToWrite, type WrittenFile } from '../src/features/questions/formats/schema.ts'
import type { Question } from '../src/features/questions/schema.ts'
import { type BenchServer, memoryOf } from './server.ts'
import { figureRow, limitRow, median, type Row } from './table.ts'

const QUESTIONS = 10_000
const SECONDS = 10
const MEMORY_MB = 500
const SLOWER = 2
const PAUSE_MS = 20
const IDLE_CALLS = 300
const person = { email: 'bench-admin@example.com', password: 'Correct-Horse-7!' }

type Import = { readonly id: string; readonly state: string; readonly problem: string | null }

/** Parsing and storing 10,000 questions of each format, and how others are answered meanwhile. */
export async function benchImports(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: 1 })
  try {
    // Before anything is asked of the server: making them keeps this process busy, and idle connections are closed meanwhile.
    const files = EXPORT_FORMATS.map((format) => ({ format, file: fileOf(format) }))
    const cookie = await signIn(server.url, database)
    const idle = await latencies(server.url, { until: (calls) => calls >= IDLE_CALLS })
    const rows: Row[] = [figureRow('a page, nobody imports: p95', `${p95(idle).toFixed(1)} ms`)]
    const [seconds, memory, busy]: [number[], number[], number[]] = [[], [], []]
    for (const { format, file } of files) {
      let isOver = false
      const meanwhile = latencies(server.url, {
        until: () => isOver,
        onCall: async () => memory.push(await serverMb(server)),
      })
      const startedAt = performance.now()
      await importAll(server.url, cookie, file)
      const took = (performance.now() - startedAt) / 1000
      isOver = true
      busy.push(...(await meanwhile))
      seconds.push(took)
      rows.push(figureRow(`import of ${QUESTIONS} questions, ${format}`, `${took.toFixed(1)} s`))
    }
    return [
      ...rows,
      limitRow(`import of ${QUESTIONS} questions, the slowest format`, Math.max(...seconds), SECONDS, 's'),
      limitRow('memory of the server while it imports', Math.max(...memory), MEMORY_MB, 'MB', 0),
      limitRow('a page while somebody imports, p95 against idle', p95(busy) / p95(idle), SLOWER, 'times'),
      figureRow('a page while somebody imports, median', `${median(busy).toFixed(1)} ms`),
    ]
  } finally {
    await database.pool.query(`delete from imports where name like 'bench-%'`)
    await database.pool.query(`delete from test_questions where test_name like 'Bench import%'`)
    await database.pool.query(`delete from courses where title like 'Bench import%'`)
    await database.close()
    await embedded.stop()
  }
}

async function serverMb({ pid }: BenchServer): Promise<number> {
  return (await memoryOf(pid)).serverMb
}

async function signIn(url: string, { db }: OpenDatabase): Promise<string> {
  await ensureAdmin(db, { email: person.email, passwordHash: await hashPassword(person.password), now: new Date() })
  const reply = await fetch(`${url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify(person),
  })
  if (!reply.ok) throw new Error(`the admin could not sign in: ${reply.status}`)
  return reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

async function importAll(url: string, cookie: string, { path, bytes }: WrittenFile): Promise<void> {
  const headers = { origin: url, cookie }
  const call = async (address: string, init: RequestInit = {}) => {
    const reply = await fetch(`${url}${address}`, { headers, ...init })
    if (!reply.ok) throw new Error(`${address}: ${reply.status} ${await reply.text()}`)
    return reply.json()
  }
  const body = new Blob([bytes as Uint8Array<ArrayBuffer>])
  const { id } = (await call(`/api/imports?name=bench-${path}`, { method: 'POST', body })) as Import
  for (;;) {
    const { state, problem } = (await call(`/api/imports/${id}`)) as Import
    if (state === 'read') break
    if (state === 'failed') throw new Error(`${path}: ${problem}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  const target = { kind: 'new-course', course: { title: `Bench import ${path}` }, exam: { title: 'Bench import' } }
  await call(`/api/imports/${id}/store`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ target, withReview: true }),
  })
}

/** How long a course page takes, one call after the other, until it is over. */
async function latencies(
  url: string,
  over: { until: (calls: number) => boolean; onCall?: () => Promise<unknown> },
): Promise<number[]> {
  const { courses } = (await (await fetch(`${url}/api/courses`)).json()) as { courses: { slug: string }[] }
  const found: number[] = []
  while (!over.until(found.length)) {
    const startedAt = performance.now()
    // With a question mark it is rendered anew each time, with a read of the database.
    await (await fetch(`${url}/course/${courses[0]?.slug}?mode=preview&n=${found.length}`)).text()
    found.push(performance.now() - startedAt)
    if (found.length % 10 === 0) await over.onCall?.()
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return found
}

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0
}

function fileOf(format: (typeof EXPORT_FORMATS)[number]): WrittenFile {
  const facts = {
    title: `Bench import ${format}`,
    slug: `bench-import-${format}`,
    order: 1,
    timeLimitMinutes: 60,
    passingScore: 70,
    isFreeTrial: false,
  }
  const questions = Array.from({ length: QUESTIONS }, (_, number) => aQuestion(format, number))
  const { files } = writeBank(format, [
    { facts, courseTitle: 'Bench import', questions, pictures: new Map() } satisfies ExamToWrite,
  ])
  const [file] = files
  if (file !== undefined && files.length === 1) return file
  // A package, as it is handed around.
  const entries = Object.fromEntries(files.map(({ path, bytes }) => [path, bytes]))
  return { path: `${facts.slug}.zip`, bytes: zipSync(entries, { level: 1 }) }
}

/** As long as questions of real banks are: about a thousand characters. */
function aQuestion(format: string, number: number): Question {
  const id = `bench-${format}-${number}`
  const text = (about: string, words: number) =>
    Array.from({ length: words }, (_, word) => `${about}${(number * 31 + word * 7) % 997}`).join(' ')
  return {
    id,
    stem: `Question ${number} of ${format}: ${text('need', 40)}?`,
    answers: [0, 1, 2, 3].map((place) => ({
      id: `${id}-${place}`,
      text: `${text('choice', 8)} ${place}`,
      isRight: place === number % 4,
    })),
    explanation: `${text('because', 60)}.`,
    domain: `Domain ${number % 5}`,
    needsReview: false,
    url: 'https://docs.example.com/',
    suggestedAnswerIds: [],
    mostVotedAnswerIds: [],
    difficulty: 'medium',
  }
}
