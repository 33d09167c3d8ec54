import { spawn } from 'node:child_process'
import autocannon from 'autocannon'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase } from '../src/db/open.server.ts'
import { paths } from '../src/lib/paths.ts'
import { makeTakers, savesOverHttp, type Taker } from './saves.ts'
import { cpuOf, dataFolder, startServer, type BenchServer } from './server.ts'
import { comparedRow, logged, type Row } from './table.ts'

const ROUNDS = 7
const SECONDS = 3
const CONNECTIONS = 16

/** What OpenTelemetry is set to in each shop. */
const SAMPLERS = {
  off: null,
  'all traces': {},
  'a tenth of the traces': { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
} as const
type Setting = keyof typeof SAMPLERS
type Shops = Readonly<Record<Setting, BenchServer>>

/**
 * The CPU of our process for a save, a page of a learner and a cached page of guests with OpenTelemetry against without, and saves a second.
 * Three shops share one database and take turns, in another order each round; a collector beside them accepts everything.
 */
export async function benchTelemetry(): Promise<Row[]> {
  const folder = await dataFolder()
  const stoppers: (() => Promise<void>)[] = [() => folder.remove()]
  try {
    const collector = await startCollector()
    stoppers.push(() => Promise.resolve(collector.stop()))
    // Holds the embedded server, so that its CPU is none of the shops'.
    const embedded = await startEmbedded({ dataDir: folder.path })
    stoppers.push(() => embedded.stop())
    const shops = {} as Record<Setting, BenchServer>
    for (const [name, sampler] of Object.entries(SAMPLERS)) {
      const server = await startServer(
        folder.path,
        sampler === null ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...sampler },
      )
      stoppers.push(() => server.stop())
      shops[name as Setting] = server
    }
    const database = openDatabase(embedded.url, { connections: 2 })
    const takers = await makeTakers(shops.off, database, 'question_count').finally(() => database.close())
    return await rowsOf(shops, takers)
  } finally {
    for (const stop of stoppers.toReversed()) await stop()
  }
}

async function rowsOf(shops: Shops, takers: readonly Taker[]): Promise<Row[]> {
  const { cookie } = takers[0]!
  const saves = async ({ url }: BenchServer) => (await savesOverHttp(url, takers, SECONDS)).perSecond
  const works: Readonly<Record<string, (server: BenchServer) => Promise<number>>> = {
    'a save': saves,
    'My Courses': ({ url }) => pagesPerSecond(`${url}${paths.myCourses}`, { cookie }),
    'home of guests, from the cache': ({ url }) => pagesPerSecond(`${url}${paths.home}`, {}),
  }
  const rows: Row[] = []
  for (const [what, work] of Object.entries(works)) {
    const rounds = await measured(shops, work)
    for (const setting of ['all traces', 'a tenth of the traces'] as const) {
      const pairs = (of: 'cpuMs' | 'perSecond') =>
        rounds.map((round) => ({ ours: round[setting][of], machine: round.off[of] }))
      rows.push(
        logged(comparedRow(`CPU of ${what} with OpenTelemetry, ${setting}, against without`, pairs('cpuMs'), 'ms', 3)),
        logged(comparedRow(`the same, each second`, pairs('perSecond'), 'requests/s')),
      )
    }
  }
  return rows
}

type Figures = Readonly<Record<Setting, { readonly cpuMs: number; readonly perSecond: number }>>

/** The first round warms up and does not count. */
async function measured(shops: Shops, work: (server: BenchServer) => Promise<number>): Promise<Figures[]> {
  const settings = Object.keys(SAMPLERS) as Setting[]
  const rounds: Figures[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const figures: Record<string, Figures[Setting]> = {}
    for (const turn of settings.keys()) {
      const setting = settings[(turn + round) % settings.length]!
      const before = (await cpuOf(shops[setting].pid)).serverMs
      const perSecond = await work(shops[setting])
      const cpuMs = ((await cpuOf(shops[setting].pid)).serverMs - before) / (perSecond * SECONDS)
      figures[setting] = { cpuMs, perSecond }
    }
    if (round > 0) rounds.push(figures as Figures)
  }
  return rounds
}

async function pagesPerSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({
    url,
    headers: { ...headers, accept: 'text/html', 'accept-encoding': 'gzip' },
    connections: CONNECTIONS,
    duration: SECONDS,
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return result.requests.total / SECONDS
}

/** Accepts whatever is sent to it, in a process of its own. */
async function startCollector(): Promise<{ url: string; stop(): void }> {
  const script = `require('node:http').createServer((request, response) => request.resume().on('end', () => response.end()))
    .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<string>((resolve) =>
    child.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString().trim())),
  )
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill() }
}
