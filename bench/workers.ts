import { openDatabase } from '../src/db/open.server.ts'
import { paths } from '../src/lib/paths.ts'
import { findPgBouncer, startPgBouncer } from '../tests/support/start-pgbouncer.ts'
import { hasDebianPostgres, startDebianPostgres, type DebianPostgres } from './debian-postgres.ts'
import { inTurns, pagesOverHttp } from './in-turns.ts'
import { record } from './recorded.ts'
import { makeTakers, savesOverHttp, type Taker } from './saves.ts'
import { dataFolder, startServer, type BenchServer } from './server.ts'
import { comparedRow, figureRow, logged, type Row } from './table.ts'

const ROUNDS = 5
const SECONDS = 3
const LONE_SECONDS = 2
const CONNECTIONS = 32

/**
 * Saves and pages with one and with two workers, and a save behind PgBouncer and with a synchronous standby, all on one PostgreSQL of
 * Debian. What is compared takes turns, in another order each round.
 */
export async function benchWorkers(): Promise<Row[]> {
  if (!hasDebianPostgres())
    return [figureRow('workers, PgBouncer and a standby', 'not measured: the package postgresql-15 is missing')]
  const folder = await dataFolder()
  const stoppers: (() => Promise<void>)[] = [() => folder.remove()]
  try {
    const postgres = await startDebianPostgres()
    stoppers.push(() => postgres.stop())
    const shop = async (workers: number, environment: Record<string, string>) => {
      const server = await startServer(folder.path, { WEB_CONCURRENCY: String(workers), ...environment })
      stoppers.push(() => server.stop())
      return server
    }
    const direct = { DATABASE_URL: postgres.url }
    const [one, two] = [await shop(1, direct), await shop(2, direct)]
    const takers = await takersOf(one, postgres)
    const rows = [
      ...(await benchNumbers([one, two], takers)),
      ...(await benchPooler(one, { postgres, takers, shop, stoppers })),
      ...(await benchStandby(one, postgres, takers)),
    ]
    await record('workers', rows)
    return rows
  } finally {
    for (const stop of stoppers.toReversed()) await stop()
  }
}

async function takersOf(server: BenchServer, { url }: DebianPostgres): Promise<Taker[]> {
  const database = openDatabase(url, { connections: 2 })
  try {
    return await makeTakers(server, database, 'question_count')
  } finally {
    await database.close()
  }
}

async function benchNumbers([one, two]: readonly [BenchServer, BenchServer], takers: readonly Taker[]) {
  const { cookie } = takers[0]!
  const saves = (server: BenchServer) => async () => (await savesOverHttp(server.url, takers, SECONDS)).perSecond
  const page = (server: BenchServer, path: string, headers: Record<string, string>) => async () =>
    (await pagesOverHttp(`${server.url}${path}`, { headers, connections: CONNECTIONS, seconds: SECONDS })).perSecond
  return [
    loggedComparison('saves of answers: two workers against one', await taken(saves(two), saves(one)), 'saves/s'),
    loggedComparison(
      'My Courses of a learner: two workers against one',
      await taken(page(two, paths.myCourses, { cookie }), page(one, paths.myCourses, { cookie })),
      'pages/s',
    ),
    loggedComparison(
      'home of guests, from the cache: two workers against one',
      await taken(page(two, paths.home, {}), page(one, paths.home, {})),
      'pages/s',
    ),
  ]
}

const loggedComparison = (...given: Parameters<typeof comparedRow>): Row => logged(comparedRow(...given))

type Pooled = {
  readonly postgres: DebianPostgres
  readonly takers: readonly Taker[]
  readonly shop: (workers: number, environment: Record<string, string>) => Promise<BenchServer>
  readonly stoppers: (() => Promise<void>)[]
}

async function benchPooler(one: BenchServer, { postgres, takers, shop, stoppers }: Pooled): Promise<Row[]> {
  if (findPgBouncer() === null)
    return [figureRow('a save by PgBouncer', 'not measured: the package pgbouncer is missing')]
  const pooler = await startPgBouncer(postgres.url)
  stoppers.push(() => pooler.stop())
  const pooled = await shop(1, { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: postgres.url })
  return saveRows('by PgBouncer against without', takers, {
    ours: () => Promise.resolve(pooled.url),
    other: () => Promise.resolve(one.url),
  })
}

async function benchStandby(one: BenchServer, postgres: DebianPostgres, takers: readonly Taker[]): Promise<Row[]> {
  const rows = await saveRows('with a synchronous standby against without', takers, {
    ours: async () => {
      await postgres.attachStandby()
      return one.url
    },
    other: async () => {
      await postgres.detachStandby()
      return one.url
    },
  })
  await postgres.detachStandby()
  return rows
}

/** Many saves at once, and one after the other. */
async function saveRows(
  what: string,
  takers: readonly Taker[],
  sides: { ours(): Promise<string>; other(): Promise<string> },
): Promise<Row[]> {
  const many = (side: () => Promise<string>) => async () =>
    (await savesOverHttp(await side(), takers, SECONDS)).perSecond
  const lone = (side: () => Promise<string>) => async () =>
    1000 / (await savesOverHttp(await side(), takers, LONE_SECONDS, 1)).perSecond
  return [
    loggedComparison(
      `saves of answers, ${CONNECTIONS} at once, ${what}`,
      await taken(many(sides.ours), many(sides.other)),
      'saves/s',
    ),
    loggedComparison(`time of a lone save, ${what}`, await taken(lone(sides.ours), lone(sides.other)), 'ms', 2),
  ]
}

async function taken(ours: () => Promise<number>, machine: () => Promise<number>) {
  const sides = { ours, machine }
  return inTurns(ROUNDS, ['ours', 'machine'], (side) => sides[side]())
}
