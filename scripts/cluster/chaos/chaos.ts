import { projectRoot } from '../../../src/platform/project-root.server.ts'
import { seededRandom, type Random } from '../../chaos/random.ts'
import { NODES } from '../database-nodes.ts'
import type { Cluster } from '../reference-cluster.ts'
import { createBuyers } from './buyers.ts'
import { backUp, migrate } from './commands.ts'
import { createGuests } from './guests.ts'
import { createImporter, signIn } from './importer.ts'
import { makePeopleBy } from './made-people.ts'
import { lagReplica, LOSSES, losePrimary, untilWhole, type Loss } from './primary-losses.ts'
import { createPublisher } from './publisher.ts'
import { describe, report, type Row, type Users } from './report.ts'
import { createRequests, pause, type Requests } from './requests.ts'
import { createSubmitters } from './submitters.ts'
import { createTakers } from './takers.ts'
import { upgrade, type Upgrade } from './upgrade.ts'
import { createProber, describeWellness, type Prober } from './well.ts'

export const FAULTS = ['upgrade', ...LOSSES] as const
export type FaultName = (typeof FAULTS)[number]

/** One network address does here what thousands do. */
export const CHAOS_ENVIRONMENT = {
  LIMITS: ['checkout', 'coupon', 'search', 'export', 'import', 'payment', 'account', 'guest', 'stream']
    .map((name) => `${name}=1000000`)
    .join(','),
}

export type ChaosOptions = {
  readonly seed: number
  readonly losses: number
  /** Only these ways to lose the primary. */
  readonly kinds: readonly Loss[]
  readonly fullDiskSeconds: number
  /** A folder with the version before, which the shop runs when the chaos begins, so that it is upgraded first; null without that. */
  readonly before: string | null
}

/** Between two faults, so that each meets users at work. */
const CALM_MS = 4000
const LAG_MS = 30_000
/** How long a backup or a migration is under way before the primary is lost; on a busy machine its process starts for seconds. */
const COMMAND_MS = 5000

/** Upgrades the shop and loses the primary again and again, under users of every kind. Prints a table; true if everything was kept. */
export async function runChaos(cluster: Cluster, options: ChaosOptions): Promise<boolean> {
  // Users draw as often as the machine lets them, so the losses have numbers of their own.
  const [random, answers] = [seededRandom(options.seed), seededRandom(options.seed + 1).next]
  const requests = createRequests(cluster.url)
  console.log('takers, buyers, people who submit, guests, an admin who publishes, and an import …')
  const people = await makePeopleBy(options.before ?? projectRoot, cluster)
  const cookie = await signIn(cluster.url)
  const users: Users = {
    takers: createTakers(people, requests, answers),
    buyers: createBuyers(people, requests),
    submitters: createSubmitters(people, requests),
    publisher: createPublisher(people, cookie, requests),
    importer: createImporter(cookie, requests),
    guests: createGuests(['/', `/course/${people.course.slug}`, '/login'], requests),
  }
  const clock = { seq: 0 }
  const proberAt = (url: string): Prober =>
    createProber(people, {
      requests: url === cluster.url ? requests : createRequests(url),
      takers: users.takers,
      clock,
    })
  const prober = proberAt(cluster.url)
  let isOver = false
  const working = Promise.all(Object.values(users).map((user) => user.run(() => isOver)))
  let upgraded: Upgrade | null = null
  const rows: Row[] = []
  try {
    await pause(CALM_MS)
    if (options.before !== null) {
      upgraded = await upgrade(cluster, { root: options.before, proberAt, prober })
      console.log(`upgrade           | ${upgraded.said.join('\n                  | ')}`)
      console.log(`                  | well: ${describeWellness(upgraded.well)}`)
      await pause(CALM_MS)
    }
    const possible = options.kinds.filter((loss) => loss !== 'full disk' || hasDisks(cluster))
    for (const [number, loss] of listLosses(options.losses, random, possible).entries()) {
      rows.push(await oneLoss(cluster, { loss, number, prober, requests, fullMs: options.fullDiskSeconds * 1000 }))
      console.log(describe(rows.at(-1)!, users.takers))
      await pause(CALM_MS)
    }
  } finally {
    isOver = true
    await working
  }
  return report(cluster, { users, requests, rows, upgraded })
}

const hasDisks = ({ nodes }: Cluster) => NODES.every((node) => nodes.disk(node) !== null)

/** Each kind as often as the others, in an order of the seed. */
function listLosses(count: number, random: Random, losses: readonly Loss[]): Loss[] {
  if (losses.length === 0) return []
  const rounds = Array.from({ length: Math.ceil(count / losses.length) }, () => random.shuffle(losses))
  return rounds.flat().slice(0, count)
}

type Turn = {
  readonly loss: Loss
  readonly number: number
  readonly prober: Prober
  readonly requests: Requests
  readonly fullMs: number
}

/**
 * Every second loss meets a replica that lags, every other one is followed by a restart of PgBouncer. A backup is under way in every
 * third, a migration in every third.
 */
async function oneLoss(cluster: Cluster, { loss, number, prober, requests, fullMs }: Turn): Promise<Row> {
  const lag = number % 2 === 1 ? await lagReplica(cluster.nodes) : null
  const command =
    number % 3 === 0 ? backUp(cluster, `chaos-${number}.backup`) : number % 3 === 1 ? migrate(cluster, fullMs) : null
  // It is in the middle of its work when the primary goes.
  if (command !== null) await pause(COMMAND_MS)
  const at = performance.now()
  const lost = await losePrimary(cluster.nodes, loss, fullMs)
  const meanwhile =
    loss === 'full disk'
      ? `while full: saves ${requests.summary(/^PUT .*answers/, at)}; guests' pages ${requests.summary(/^GET \/(course.*|login)?$/, at)}`
      : null
  const wellAlone = prober.untilWell(lost.endedAt)
  if (lag !== null) {
    await pause(Math.max(0, LAG_MS - (performance.now() - at)))
    lag.end()
  } else {
    await pause(CALM_MS)
    await cluster.restartPgBouncer()
  }
  const endedAt = performance.now()
  const first = await wellAlone
  const second = await prober.untilWell(endedAt)
  await untilWhole(cluster.nodes)
  const wholeSeconds = (performance.now() - endedAt) / 1000
  const beside =
    lag === null ? 'PgBouncer restarted after it' : `${lag.node} lags ${((endedAt - at) / 1000).toFixed(0)} s`
  return { loss, beside, lost, at, wells: [first, second], wholeSeconds, command: await command, meanwhile }
}
