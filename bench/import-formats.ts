import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase, type OpenDatabase } from '../src/db/open.server.ts'
import { hashPassword } from '../src/features/accounts/argon2-gateway.server.ts'
import { ensureAdmin } from '../src/features/accounts/accounts-commands.server.ts'
import { IMPORT_FORMATS, type SourceFile } from '../src/features/questions/formats/formats.schema.ts'
import { bankFile, mixedBankFile } from './bank-files.ts'
import { type BenchServer, serverMbOf } from './server.ts'
import { figureRow, limitRow, median, logged, type Row } from './table.ts'

const QUESTIONS = 10_000
const SECONDS = 10
const MEMORY_MB = 500
const SLOWER = 2
/** A single slow visitor, so that the visits themselves are no load. */
const PAUSE_MS = 200
/** More often than the page of an import, which polls once a second. */
const POLL_MS = 250
const WARM_UP_CALLS = 30
const IDLE_CALLS = 100
const user = { email: 'bench-admin@example.com', password: 'Correct-Horse-7!' }

type Import = {
  readonly id: string
  readonly state: string
  readonly problem: string | null
  readonly counts: Record<'good' | 'needs-review', { readonly open: number }>
  readonly columns: { readonly mapping: object } | null
}

/** Reads and stores 10,000 questions in each format, and measures requests meanwhile. */
export async function benchImports(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: 1 })
  try {
    const cookie = await signIn(server.url, database)
    // Create the files before measuring: this keeps the process busy, and idle connections time out meanwhile.
    const files = IMPORT_FORMATS.map((format) => ({ format, file: bankFile(format, QUESTIONS) }))
    await latencies(server.url, { until: (calls) => calls >= WARM_UP_CALLS })
    const idle = await latencies(server.url, { until: (calls) => calls >= IDLE_CALLS })
    const rows: Row[] = []
    const [seconds, memory, busy]: [number[], number[], number[]] = [[], [], []]
    for (const named of files) {
      const sender = await aSender(named.file.bytes)
      let isOver = false
      const meanwhile = latencies(server.url, {
        until: () => isOver,
        onCall: async () => memory.push(await serverMbOf(server.pid)),
      })
      // End the latency loop also when the import fails: it would outlive the server, and its error would hide the cause.
      const { read, store } = await importAll(server.url, cookie, named, sender).finally(() => (isOver = true))
      const times = await meanwhile
      busy.push(...times)
      seconds.push(read + store)
      const [page, megabytes] = [median(times).toFixed(1), (named.file.bytes.length / 2 ** 20).toFixed(1)]
      const what = `import of ${QUESTIONS} questions, ${named.format} (${megabytes} MB)`
      const took = `read in ${read.toFixed(1)} s, stored in ${store.toFixed(1)} s, a page meanwhile ${page} ms`
      rows.push(logged(figureRow(what, took)))
    }
    return [
      ...rows,
      limitRow('the slowest format, read and stored', Math.max(...seconds), SECONDS, 's'),
      limitRow('memory of the server and its workers while it imports', Math.max(...memory), MEMORY_MB, 'MB', 0),
      limitRow(
        `a page while somebody imports against idle (${textOf(idle)}): median`,
        median(busy) / median(idle),
        SLOWER,
        'times',
      ),
      limitRow('the same: p95', p95(busy) / p95(idle), SLOWER, 'times'),
    ]
  } finally {
    await database.close()
    await embedded.stop()
  }
}

/** The formats that hold questions of every type. */
const WHOLE_FORMATS = ['json', 'markdown'] as const

/** Reads and stores 10,000 questions of every type, in turns with as many choices, within the bounds of choices. */
export async function benchMixedImports(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: 1 })
  try {
    const cookie = await signIn(server.url, database)
    const rows: Row[] = []
    const [seconds, ratios, memory]: [number[], number[], number[]] = [[], [], []]
    for (const format of WHOLE_FORMATS) {
      const choices = await importAll(server.url, cookie, { format, file: bankFile(format, QUESTIONS) })
      const file = mixedBankFile(format, QUESTIONS)
      const mixed = await importAll(server.url, cookie, { format: `${format} of every type`, file })
      memory.push(await serverMbOf(server.pid))
      seconds.push(mixed.read + mixed.store)
      ratios.push((mixed.read + mixed.store) / (choices.read + choices.store))
      const took = ({ read, store }: Took) => `read in ${read.toFixed(1)} s, stored in ${store.toFixed(1)} s`
      const what = `import of ${QUESTIONS} questions of every type, ${format}`
      rows.push(logged(figureRow(what, `${took(mixed)}; choices alone ${took(choices)}`)))
    }
    return [
      ...rows,
      limitRow('questions of every type: the slower format, read and stored', Math.max(...seconds), SECONDS, 's'),
      limitRow('the same against choices alone', Math.max(...ratios), SLOWER, 'times', 2),
      limitRow('memory of the server and its workers after it', Math.max(...memory), MEMORY_MB, 'MB', 0),
    ]
  } finally {
    await database.close()
    await embedded.stop()
  }
}

async function signIn(url: string, { db }: OpenDatabase): Promise<string> {
  await ensureAdmin(db, { email: user.email, passwordHash: await hashPassword(user.password), now: new Date() })
  const reply = await fetch(`${url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify(user),
  })
  if (!reply.ok) throw new Error(`the admin could not sign in: ${reply.status}`)
  return reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

type Took = { readonly read: number; readonly store: number }

/** The seconds until every question has a verdict, and then until all are stored. */
async function importAll(
  url: string,
  cookie: string,
  named: { format: string; file: SourceFile },
  sender?: Sender,
): Promise<Took> {
  const headers = { origin: url, cookie }
  const call = async (address: string, init: RequestInit = {}) => {
    const reply = await fetch(`${url}${address}`, { headers, ...init })
    if (!reply.ok) throw new Error(`${address}: ${reply.status} ${await reply.text()}`)
    return reply.json()
  }
  const post = (address: string, body: object) =>
    call(address, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const { path, bytes } = named.file
  const title = `Bench import ${named.format}`
  const { upload } = sender ?? (await aSender(bytes))
  const startedAt = performance.now()
  const { id } = await upload(`${url}/api/imports?name=bench-${path}`, headers)
  let view = await untilRead(() => call(`/api/imports/${id}`) as Promise<Import>)
  if (view.state === 'mapping') {
    // Accept the suggested mapping of the columns.
    await post(`/api/imports/${id}/read`, { mapping: view.columns?.mapping })
    view = await untilRead(() => call(`/api/imports/${id}`) as Promise<Import>)
  }
  if (view.counts.good.open + view.counts['needs-review'].open !== QUESTIONS)
    throw new Error(`${title}: ${view.problem ?? JSON.stringify(view.counts)}`)
  const readAt = performance.now()
  const target = { kind: 'new-course', course: { title }, exam: { title } }
  const stored = (await post(`/api/imports/${id}/store`, { target, withReview: true })) as { added: number }
  if (stored.added !== QUESTIONS) throw new Error(`${title}: ${stored.added} were stored`)
  return { read: (readAt - startedAt) / 1000, store: (performance.now() - readAt) / 1000 }
}

type Sender = { upload(address: string, headers: Record<string, string>): Promise<Import> }

/**
 * A process that holds a file and uploads it when it is told to. The start of a process and the way of its bytes are no part of an import,
 * and would delay the requests that are measured.
 */
async function aSender(bytes: Uint8Array): Promise<Sender> {
  const sender = spawn(process.execPath, ['--input-type=module', '--eval', SEND], {
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
  })
  sender.stdin?.end(bytes)
  await once(sender, 'message')
  return {
    async upload(address, headers) {
      sender.send({ address, headers })
      const [reply] = (await Promise.race([once(sender, 'message'), once(sender, 'close')])) as [unknown]
      if (typeof reply !== 'string') throw new Error('the file could not be uploaded')
      return JSON.parse(reply) as Import
    },
  }
}

const SEND = `
  import { once } from 'node:events'
  import { buffer } from 'node:stream/consumers'
  const body = await buffer(process.stdin)
  process.send('ready')
  const [{ address, headers }] = await once(process, 'message')
  const reply = await fetch(address, { method: 'POST', headers, body })
  if (!reply.ok) throw new Error(reply.status + ' ' + await reply.text())
  process.send(await reply.text(), () => process.disconnect())
`

async function untilRead(fetchImport: () => Promise<Import>): Promise<Import> {
  for (;;) {
    const view = await fetchImport()
    if (view.state !== 'waiting' && view.state !== 'reading') return view
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** The times of sequential requests for a course page in milliseconds, until `until` returns true. */
async function latencies(
  url: string,
  over: { until: (calls: number) => boolean; onCall?: () => Promise<unknown> },
): Promise<number[]> {
  const { courses } = (await (await fetch(`${url}/api/courses`)).json()) as { courses: { slug: string }[] }
  const times: number[] = []
  while (!over.until(times.length)) {
    const startedAt = performance.now()
    // The query string bypasses the page cache, so that each request renders the page and reads the database.
    await (await fetch(`${url}/course/${courses[0]?.slug}?mode=preview&n=${times.length}`)).text()
    times.push(performance.now() - startedAt)
    if (times.length % 10 === 0) await over.onCall?.()
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return times
}

function textOf(times: readonly number[]): string {
  return `median ${median(times).toFixed(1)} ms, p95 ${p95(times).toFixed(1)} ms`
}

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0
}
