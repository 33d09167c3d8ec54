import { openDatabase } from '../../../src/db/open.server.ts'
import type { Cluster } from '../reference-cluster.ts'
import { createBuyers } from './buyers.ts'
import { createImporter } from './importer.ts'
import { lagReplica, LOSSES, losePrimary, untilWhole, type Loss, type Lost } from './primary-losses.ts'
import { createRequests, LONGEST_MS, pause, type Requests } from './requests.ts'
import { seededRandom, type Random } from '../../chaos/random.ts'
import { createTakers } from './takers.ts'

/** One network address does here what thousands do. */
export const CHAOS_ENVIRONMENT = {
  LIMITS: ['checkout', 'coupon', 'search', 'export', 'import', 'payment', 'account', 'guest', 'stream']
    .map((name) => `${name}=1000000`)
    .join(','),
}

/** Between two faults, so that each meets users at work. */
const CALM_MS = 4000
const LAG_MS = 30_000

type Row = {
  readonly loss: Loss
  readonly beside: string
  readonly lost: Lost
  readonly at: number
  readonly wholeAt: number
}

/** Loses the primary again and again under takers, buyers and an import. Prints a table; true if everything was kept. */
export async function runChaos(cluster: Cluster, options: { seed: number; losses: number }): Promise<boolean> {
  // Users draw as often as the machine lets them, so the losses have numbers of their own.
  const [random, answers] = [seededRandom(options.seed), seededRandom(options.seed + 1).next]
  const requests = createRequests(cluster.url)
  const database = openDatabase(cluster.directUrl, { connections: 4 })
  console.log('takers, buyers and an import …')
  const takers = await createTakers(database.db, cluster, requests, answers)
  const buyers = await createBuyers(database.db, cluster, requests)
  const importer = await createImporter(cluster.url, requests)
  await database.close()
  let isOver = false
  const users = Promise.all([takers, buyers, importer].map((user) => user.run(() => isOver)))
  const rows: Row[] = []
  try {
    await pause(CALM_MS)
    const kinds = listLosses(options.losses, random)
    for (const [number, loss] of kinds.entries()) {
      rows.push(await oneLoss(cluster, loss, number, random))
      console.log(describe(rows.at(-1)!, takers.savedAt))
      await pause(CALM_MS)
    }
  } finally {
    isOver = true
    await users
  }
  const after = openDatabase(cluster.directUrl, { connections: 2 })
  try {
    const lostAnswers = await takers.findLost(after.db)
    const orders = await buyers.findFaults(after.db)
    const imports = await importer.findFaults(after.db)
    const died = cluster.shops.filter((shop) => shop.hasEnded()).map(({ name }) => name)
    const results = [
      result('acknowledged answers lost', lostAnswers, `of ${takers.savedAt.length} saves`),
      result('orders lost', orders.lost, `of ${orders.paid} paid, ${buyers.confirmed()} confirmed to their buyers`),
      result('orders fulfilled twice', orders.twice, ''),
      result('imports lost, twice or in part', imports, importer.summary()),
      result('processes of the shop that died', died, `of ${cluster.shops.length}`),
      result(`requests that took longer than ${LONGEST_MS / 1000} s`, slowOnes(requests), `of ${requests.count()}`),
    ]
    console.log(`\n${results.map(({ line }) => line).join('\n')}`)
    console.log(
      `replies by status: ${[...requests.statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`,
    )
    return results.every(({ isGood }) => isGood)
  } finally {
    await after.close()
  }
}

/** Each kind as often as the others, in an order of the seed. */
function listLosses(count: number, random: Random): Loss[] {
  const rounds = Array.from({ length: Math.ceil(count / LOSSES.length) }, () => random.shuffle(LOSSES))
  return rounds.flat().slice(0, count)
}

/** Every second loss meets a replica that lags, every other one is followed by a restart of PgBouncer. */
async function oneLoss(cluster: Cluster, loss: Loss, number: number, random: Random): Promise<Row> {
  const lag = number % 2 === 1 ? await lagReplica(cluster.nodes, random.next) : null
  const at = performance.now()
  const lost = await losePrimary(cluster.nodes, loss)
  if (lag !== null) {
    await pause(Math.max(0, LAG_MS - (performance.now() - at)))
    await lag.end()
  } else {
    await pause(CALM_MS)
    await cluster.restartPgBouncer()
  }
  await untilWhole(cluster.nodes)
  const beside = lag === null ? 'PgBouncer restarted after it' : `${lag.node} lags ${LAG_MS / 1000} s`
  return { loss, beside, lost, at, wholeAt: performance.now() }
}

/** The longest pause of all takers that began or lasted after the loss, until the next primary had been there for a while. */
function describe({ loss, beside, lost, at, wholeAt }: Row, savedAt: readonly number[]): string {
  const times = savedAt.filter((time) => time > at - 1000 && time < wholeAt)
  const gaps = times.slice(1).map((time, index) => ({ until: time, ms: time - times[index]! }))
  const longest = gaps.reduce((most, gap) => (gap.ms > most.ms ? gap : most), { until: at, ms: 0 })
  const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(5)
  return [
    `${loss.padEnd(17)} ${lost.node} -> ${lost.next}`,
    `promoted ${seconds(lost.promotedAt - at)} s`,
    `first save ${seconds(longest.until - at)} s (pause ${seconds(longest.ms)} s)`,
    `three nodes ${seconds(wholeAt - lost.endedAt)} s after its end`,
    beside,
  ].join(' | ')
}

function slowOnes({ slow }: Requests): string[] {
  return slow.map(({ what, seconds }) => `${what}: ${seconds.toFixed(1)} s`)
}

function result(name: string, faults: readonly string[], of: string) {
  const shown = faults.slice(0, 10).map((fault) => `\n    ${fault}`)
  return {
    isGood: faults.length === 0,
    line: `${name.padEnd(44)} ${String(faults.length).padStart(4)}  ${of}${shown.join('')}`,
  }
}
