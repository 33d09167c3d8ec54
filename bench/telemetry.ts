import { spawn } from 'node:child_process'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase } from '../src/db/open.server.ts'
import { paths } from '../src/lib/paths.ts'
import { inTurns, pagesOverHttp } from './in-turns.ts'
import { makeTakers, savesOverHttp, type Taker } from './saves.ts'
import { cpuOf, dataFolder, startServer, type BenchServer } from './server.ts'
import { comparedRow, logged, type Row } from './table.ts'

const ROUNDS = 9
/** A turn takes a second: the load ends at the first whole second after this. */
const SECONDS = 0.9
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
  const page = (path: string, headers: Record<string, string>) => (url: string) =>
    pagesOverHttp(`${url}${path}`, { headers, connections: CONNECTIONS, seconds: SECONDS })
  const works: Readonly<Record<string, (url: string) => Promise<{ count: number }>>> = {
    'a save': (url) => savesOverHttp(url, takers, SECONDS),
    'My Courses': page(paths.myCourses, { cookie }),
    'home of guests, from the cache': page(paths.home, {}),
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

/**
 * What a shop spends from the beginning of a turn until that of its next one is for the requests of the turn: spans are sent in batches,
 * the last of them when others have their turns.
 */
async function measured(shops: Shops, work: (url: string) => Promise<{ count: number }>) {
  const cpuSoFar = async (setting: Setting) => (await cpuOf(shops[setting].pid)).serverMs
  const settings = Object.keys(SAMPLERS) as Setting[]
  const turns = await inTurns(ROUNDS, settings, async (setting) => {
    const cpuBefore = await cpuSoFar(setting)
    const startedAt = performance.now()
    const { count } = await work(shops[setting].url)
    return { cpuBefore, count, perSecond: (1000 * count) / (performance.now() - startedAt) }
  })
  const last = Object.fromEntries(
    await Promise.all(settings.map(async (setting) => [setting, await cpuSoFar(setting)])),
  )
  return turns.map((round, at) => {
    const figuresOf = (setting: Setting) => {
      const { cpuBefore, count, perSecond } = round[setting]
      const cpuAfter = turns[at + 1]?.[setting].cpuBefore ?? (last as Record<Setting, number>)[setting]
      return [setting, { cpuMs: (cpuAfter - cpuBefore) / count, perSecond }]
    }
    return Object.fromEntries(settings.map(figuresOf)) as Record<Setting, { cpuMs: number; perSecond: number }>
  })
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
