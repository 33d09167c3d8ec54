import { openDatabase } from '../../../src/db/open.server.ts'
import { NODES } from '../database-nodes.ts'
import type { Cluster } from '../reference-cluster.ts'
import { createBuyers } from './buyers.ts'
import { backUp, migrate, type Outcome } from './commands.ts'
import { createImporter, signIn } from './importer.ts'
import { lagReplica, LOSSES, losePrimary, untilWhole, type Loss, type Lost } from './primary-losses.ts'
import { createPublisher } from './publisher.ts'
import { createRequests, LONGEST_MS, pause, type Requests } from './requests.ts'
import { seededRandom, type Random } from '../../chaos/random.ts'
import { createSubmitters } from './submitters.ts'
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
/** How long a backup or a migration is under way before the primary is lost; on a busy machine its process starts for seconds. */
const COMMAND_MS = 5000

type Row = {
  readonly loss: Loss
  readonly beside: string
  readonly lost: Lost
  readonly at: number
  readonly wholeAt: number
  readonly command: Outcome | null
}

/** Loses the primary again and again under takers, buyers and an import. Prints a table; true if everything was kept. */
export async function runChaos(cluster: Cluster, options: { seed: number; losses: number }): Promise<boolean> {
  // Users draw as often as the machine lets them, so the losses have numbers of their own.
  const [random, answers] = [seededRandom(options.seed), seededRandom(options.seed + 1).next]
  const requests = createRequests(cluster.url)
  const database = openDatabase(cluster.directUrl, { connections: 4 })
  console.log('takers, buyers, people who submit, an admin who publishes, and an import …')
  const takers = await createTakers(database.db, cluster, requests, answers)
  const buyers = await createBuyers(database.db, cluster, requests)
  const submitters = await createSubmitters(database.db, cluster, requests)
  const cookie = await signIn(cluster.url)
  const publisher = await createPublisher(database.db, cookie, requests)
  const importer = createImporter(cookie, requests)
  await database.close()
  let isOver = false
  const users = Promise.all([takers, buyers, submitters, publisher, importer].map((user) => user.run(() => isOver)))
  const rows: Row[] = []
  try {
    await pause(CALM_MS)
    const kinds = listLosses(
      options.losses,
      random,
      LOSSES.filter((loss) => loss !== 'full disk' || hasDisks(cluster)),
    )
    for (const [number, loss] of kinds.entries()) {
      rows.push(await oneLoss(cluster, loss, number))
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
    const submissions = await submitters.findFaults(after.db)
    const editions = await publisher.findFaults(after.db)
    const commands = rows.flatMap(({ command }) => (command === null ? [] : [command]))
    const died = cluster.shops.filter((shop) => shop.hasEnded()).map(({ name }) => name)
    const results = [
      result('acknowledged answers lost', lostAnswers, `of ${takers.savedAt.length} saves`),
      result('orders lost', orders.lost, `of ${orders.paid} paid, ${buyers.confirmed()} confirmed to their buyers`),
      result('orders fulfilled twice', orders.twice, ''),
      result('imports lost, twice or in part', imports, importer.summary()),
      result('submissions lost or twice', submissions, `of ${submitters.acknowledged()} acknowledged`),
      result('published versions lost or twice', editions, `of ${publisher.acknowledged()} acknowledged`),
      result(
        'backups and migrations that went wrong',
        commands.filter(({ isGood }) => !isGood).map(({ said }) => said),
        `of ${commands.length}`,
      ),
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

const hasDisks = ({ nodes }: Cluster) => NODES.every((node) => nodes.disk(node) !== null)

/** Each kind as often as the others, in an order of the seed. */
function listLosses(count: number, random: Random, losses: readonly Loss[]): Loss[] {
  const rounds = Array.from({ length: Math.ceil(count / losses.length) }, () => random.shuffle(losses))
  return rounds.flat().slice(0, count)
}

/**
 * Every second loss meets a replica that lags, every other one is followed by a restart of PgBouncer. A backup is under way in every
 * third, a migration in every third.
 */
async function oneLoss(cluster: Cluster, loss: Loss, number: number): Promise<Row> {
  const lag = number % 2 === 1 ? await lagReplica(cluster.nodes) : null
  const command =
    number % 3 === 0 ? backUp(cluster, `chaos-${number}.backup`) : number % 3 === 1 ? migrate(cluster) : null
  // It is in the middle of its work when the primary goes.
  if (command !== null) await pause(COMMAND_MS)
  const at = performance.now()
  const lost = await losePrimary(cluster.nodes, loss)
  if (lag !== null) {
    await pause(Math.max(0, LAG_MS - (performance.now() - at)))
    lag.end()
  } else {
    await pause(CALM_MS)
    await cluster.restartPgBouncer()
  }
  await untilWhole(cluster.nodes)
  const wholeAt = performance.now()
  const beside = lag === null ? 'PgBouncer restarted after it' : `${lag.node} lags ${LAG_MS / 1000} s`
  return { loss, beside, lost, at, wholeAt, command: await command }
}

/** The longest pause of all takers that began or lasted after the loss, until the next primary had been there for a while. */
function describe({ loss, beside, lost, at, wholeAt, command }: Row, savedAt: readonly number[]): string {
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
    ...(command === null ? [] : [command.said]),
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
