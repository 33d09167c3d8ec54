import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { until } from '../child-process.ts'
import { NODES, type DatabaseNodes, type NodeName } from '../database-nodes.ts'
import { pause } from './requests.ts'

/** How the primary is lost. */
export const LOSSES = ['PostgreSQL killed', 'Patroni killed', 'both killed', 'frozen'] as const
export type Loss = (typeof LOSSES)[number]

/** Patroni replaces a silent primary after 20 seconds; a busy machine needs longer. */
const PROMOTION_SECONDS = 90
const WHOLE_SECONDS = 180
/** How long a node stays lost after another has taken over. */
const AWAY_MS = 3000

export type Lost = {
  readonly node: NodeName
  readonly next: NodeName
  readonly promotedAt: number
  readonly endedAt: number
}

/** Takes the primary away in this way, waits for the next one, and gives the node back. */
export async function losePrimary(nodes: DatabaseNodes, loss: Loss): Promise<Lost> {
  const node = await primaryOf(nodes)
  const patroni = nodes.patroni(node)
  const postmaster = await nodes.postmaster(node)
  if (postmaster === null) throw new Error(`${node} has no PostgreSQL`)
  if (loss === 'frozen') {
    const frozen = [patroni.pid, ...(await descendants(patroni.pid)), postmaster, ...(await descendants(postmaster))]
    for (const pid of frozen) signal(pid, 'SIGSTOP')
    const next = await nextPrimary(nodes, node)
    const promotedAt = performance.now()
    await pause(AWAY_MS)
    for (const pid of frozen) signal(pid, 'SIGCONT')
    return { node, next, promotedAt, endedAt: performance.now() }
  }
  if (loss !== 'PostgreSQL killed') patroni.kill('SIGKILL')
  if (loss !== 'Patroni killed') signal(postmaster, 'SIGKILL')
  const next = await nextPrimary(nodes, node)
  const promotedAt = performance.now()
  if (loss === 'PostgreSQL killed') return { node, next, promotedAt, endedAt: promotedAt }
  await patroni.ended
  await pause(AWAY_MS)
  // As systemd does with Restart=always, but later, so that the leadership has ended.
  nodes.startPatroni(node)
  return { node, next, promotedAt, endedAt: performance.now() }
}

async function primaryOf(nodes: DatabaseNodes): Promise<NodeName> {
  const node = await nodes.primary()
  if (node === null) throw new Error('there is no primary')
  return node
}

async function nextPrimary(nodes: DatabaseNodes, before: NodeName): Promise<NodeName> {
  let next: NodeName | null = null
  await until(`a primary after ${before}`, PROMOTION_SECONDS, async () => {
    next = await nodes.primary(before)
    return next !== null
  })
  return next!
}

/** Waits until the lost node follows again and a standby confirms commits, without which the next loss would be final. */
export async function untilWhole(nodes: DatabaseNodes): Promise<void> {
  await until('three nodes with a synchronous standby', WHOLE_SECONDS, async () => {
    const primary = await nodes.primary()
    return (
      primary !== null && (await nodes.hasSynchronousStandby()) && (await nodes.countStreaming()) === NODES.length - 1
    )
  })
}

/** Lets a replica fall behind: it receives the log and does not apply it. Returns how to end that. */
export async function lagReplica(
  nodes: DatabaseNodes,
  random: () => number,
): Promise<{ node: NodeName; end(): Promise<void> }> {
  const primary = await primaryOf(nodes)
  const replicas = NODES.filter((node) => node !== primary)
  const node = replicas[Math.floor(random() * replicas.length)]!
  // Patroni calls a node a replica some moments before it takes connections.
  await until(`a pause of ${node}`, 30, async () => {
    await ask(nodes, node, 'select pg_wal_replay_pause()')
    return true
  })
  return {
    node,
    // It may have become the primary, which ends the pause.
    end: () => ask(nodes, node, 'select pg_wal_replay_resume() where pg_is_in_recovery()').catch(() => undefined),
  }
}

async function ask(nodes: DatabaseNodes, node: NodeName, text: string): Promise<void> {
  const port = nodes.ports[node].postgres
  const client = new pg.Client({
    connectionString: `postgres://postgres:${nodes.superuserPassword}@127.0.0.1:${port}/postgres`,
    connectionTimeoutMillis: 3000,
    query_timeout: 3000,
  })
  client.on('error', () => {})
  await client.connect()
  await client.query(text).finally(() => client.end().catch(() => undefined))
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // A session of PostgreSQL that ended meanwhile.
  }
}

async function descendants(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const children = text.split(' ').filter(Boolean).map(Number)
  return (await Promise.all(children.map(async (child) => [child, ...(await descendants(child))]))).flat()
}
