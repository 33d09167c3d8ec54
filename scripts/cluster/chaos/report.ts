import { openDatabase } from '../../../src/db/open.server.ts'
import type { Cluster } from '../reference-cluster.ts'
import type { Buyers } from './buyers.ts'
import type { Outcome } from './commands.ts'
import type { Guests } from './guests.ts'
import type { Importer } from './importer.ts'
import type { Loss, Lost } from './primary-losses.ts'
import type { Publisher } from './publisher.ts'
import { LONGEST_MS, type Requests } from './requests.ts'
import type { Submitters } from './submitters.ts'
import type { Takers } from './takers.ts'
import type { Upgrade } from './upgrade.ts'
import { describeWellness, isWell, WELL_SECONDS, type Wellness } from './well.ts'

export type Users = {
  readonly takers: Takers
  readonly buyers: Buyers
  readonly submitters: Submitters
  readonly publisher: Publisher
  readonly importer: Importer
  readonly guests: Guests
}

/** One loss of the primary. */
export type Row = {
  readonly loss: Loss
  readonly beside: string
  readonly lost: Lost
  readonly at: number
  /** After the loss alone, and after what happened beside it. */
  readonly wells: readonly [Wellness, Wellness]
  readonly wholeSeconds: number
  readonly command: Outcome | null
  /** How saves and guests' pages were answered while a disk was full. */
  readonly meanwhile: string | null
}

type Run = {
  readonly users: Users
  readonly requests: Requests
  readonly rows: readonly Row[]
  readonly upgraded: Upgrade | null
}

/** Compares the database with what the users were told, and prints a line for each promise. True if all were kept. */
export async function report(cluster: Cluster, run: Run): Promise<boolean> {
  const { requests, rows, upgraded } = run
  const { db, close } = openDatabase(cluster.directUrl, { connections: 2 })
  try {
    const results = [...(await judgeUsers(run.users, db)), ...judgeFaults(cluster, run)]
    console.log(`\n${results.map(({ line }) => line).join('\n')}`)
    const list = (counts: ReadonlyMap<string, number>) =>
      [...counts].map(([name, count]) => `${name}: ${count}`).join(', ')
    console.log(`replies by status: ${list(requests.statuses)}`)
    if (requests.broken.size > 0) console.log(`answered 500: ${list(requests.broken)}`)
    return results.every(({ isGood }) => isGood) && rows.length + (upgraded === null ? 0 : 1) > 0
  } finally {
    await close()
  }
}

async function judgeUsers(users: Users, db: ReturnType<typeof openDatabase>['db']) {
  const { takers, buyers, submitters, importer, publisher, guests } = users
  const orders = await buyers.findFaults(db)
  return [
    result('acknowledged answers lost', await takers.findLost(db), `of ${takers.savedAt.length} saves`),
    result('orders lost', orders.lost, `of ${orders.paid} paid, ${buyers.confirmed()} confirmed to their buyers`),
    result('orders fulfilled twice', orders.twice, ''),
    result('imports lost, twice or in part', await importer.findFaults(db), importer.summary()),
    result(
      'submissions lost or twice',
      await submitters.findFaults(db),
      `of ${submitters.acknowledged()} acknowledged`,
    ),
    result(
      'published versions lost or twice',
      await publisher.findFaults(db),
      `of ${publisher.acknowledged()} acknowledged`,
    ),
    result("guests' pages or files not served", guests.faults, `of ${guests.pages()} pages`),
  ]
}

function judgeFaults({ shop }: Cluster, { requests, rows, upgraded }: Run) {
  const commands = rows.flatMap(({ command }) => (command === null ? [] : [command]))
  const died = shop.children().filter((child) => child.hasEnded())
  const slow = requests.slow.map(
    ({ what, seconds, load }) =>
      `${what}: ${seconds.toFixed(1)} s, while ${load.toFixed(1)} processes wanted each core`,
  )
  return [
    result(
      'backups and migrations that went wrong',
      commands.filter(({ isGood }) => !isGood).map(({ said }) => said),
      `of ${commands.length}`,
    ),
    ...(upgraded === null ? [] : [result('upgrades that went wrong', upgraded.faults, 'of 1')]),
    result(
      `not well ${WELL_SECONDS} s after a fault had ended`,
      listUnwell(rows, upgraded),
      `of ${rows.length + (upgraded === null ? 0 : 1)}`,
    ),
    result(
      'processes of the shop that died',
      died.map(({ name }) => name),
      `of ${shop.children().length}`,
    ),
    result(`requests that took longer than ${LONGEST_MS / 1000} s`, slow, `of ${requests.count()}`),
  ]
}

/** A line of the table, with the longest pause of all takers that began or lasted after the loss, until it was over. */
export function describe(
  { loss, beside, lost, at, wells, wholeSeconds, command, meanwhile }: Row,
  takers: Takers,
): string {
  const times = takers.savedAt.filter((time) => time > at - 1000)
  const gaps = times.slice(1).map((time, index) => ({ until: time, ms: time - times[index]! }))
  const longest = gaps.reduce((most, gap) => (gap.ms > most.ms ? gap : most), { until: at, ms: 0 })
  const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(5)
  return [
    `${loss.padEnd(17)} ${lost.node} -> ${lost.next}`,
    `promoted ${seconds(lost.promotedAt - at)} s`,
    `first save ${seconds(longest.until - at)} s (pause ${seconds(longest.ms)} s)`,
    `well: ${describeWellness(wells[0])}`,
    ...(meanwhile === null ? [] : [meanwhile]),
    `${beside}, then well after ${wells[1].all.toFixed(1)} s, three nodes after ${wholeSeconds.toFixed(1)} s`,
    ...(command === null ? [] : [command.said]),
  ].join(' | ')
}

function listUnwell(rows: readonly Row[], upgraded: Upgrade | null): string[] {
  const all = rows.flatMap(({ loss, wells, beside }) => [
    { name: String(loss), well: wells[0] },
    { name: `${loss}, ${beside}`, well: wells[1] },
  ])
  if (upgraded !== null) all.push({ name: 'upgrade', well: upgraded.well })
  return all.filter(({ well }) => !isWell(well)).map(({ name, well }) => `${name}: ${describeWellness(well)}`)
}

function result(name: string, faults: readonly string[], of: string) {
  const shown = faults.slice(0, 10).map((fault) => `\n    ${fault}`)
  return {
    isGood: faults.length === 0,
    line: `${name.padEnd(44)} ${String(faults.length).padStart(4)}  ${of}${shown.join('')}`,
  }
}
