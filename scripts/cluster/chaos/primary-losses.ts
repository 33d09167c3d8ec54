import { readFile } from 'node:fs/promises'
import { until } from '../child-process.ts'
import { NODES, type DatabaseNodes, type NodeName } from '../database-nodes.ts'
import { pause } from './requests.ts'

/** How the primary is lost. */
export const LOSSES = ['PostgreSQL killed', 'Patroni killed', 'both killed', 'frozen', 'full disk'] as const
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
  /** A kill is over at once; what froze or vanished has come back; a disk has room again. */
  readonly endedAt: number
}

/**
 * Takes the primary away in this way, waits for the next one, and gives the node back. A disk is full for `fullMs`: the primary ends at the
 * first segment of its log that it cannot write, or refuses what needs room.
 */
export async function losePrimary(nodes: DatabaseNodes, loss: Loss, fullMs: number): Promise<Lost> {
  const node = await primaryOf(nodes)
  const patroni = nodes.patroni(node)
  const postmaster = await nodes.postmaster(node)
  if (postmaster === null) throw new Error(`${node} has no PostgreSQL`)
  if (loss === 'full disk') return fillDisk(nodes, node, fullMs)
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
  const killedAt = performance.now()
  const next = await nextPrimary(nodes, node)
  const promotedAt = performance.now()
  if (loss === 'PostgreSQL killed') return { node, next, promotedAt, endedAt: killedAt }
  await patroni.ended
  await pause(AWAY_MS)
  // As systemd does with Restart=always, but later, so that the leadership has ended.
  nodes.startPatroni(node)
  return { node, next, promotedAt, endedAt: performance.now() }
}

/** The primary may stay what it is. */
async function fillDisk(nodes: DatabaseNodes, node: NodeName, fullMs: number): Promise<Lost> {
  nodes.disk(node)!.fill()
  await pause(fullMs)
  nodes.disk(node)!.empty()
  const endedAt = performance.now()
  let next: NodeName | null = null
  await until('a primary after a full disk', PROMOTION_SECONDS, async () => {
    next = await nodes.primary()
    return next !== null
  })
  return { node, next: next!, promotedAt: performance.now(), endedAt }
}

/** On a busy machine Patroni does not always answer within its second. */
async function primaryOf(nodes: DatabaseNodes): Promise<NodeName> {
  let node: NodeName | null = null
  await until('a primary', PROMOTION_SECONDS, async () => {
    node = await nodes.primary()
    return node !== null
  })
  return node!
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

/**
 * Lets a replica fall behind: it receives the log and does not apply it, because the process that does is frozen. (A pause by
 * `pg_wal_replay_pause` is ended by Patroni.) Not the synchronous standby, which may have to take over. Returns how to end that.
 */
export async function lagReplica(nodes: DatabaseNodes): Promise<{ node: NodeName; end(): void }> {
  const primary = await primaryOf(nodes)
  let frozen: { node: NodeName; pid: number } | null = null
  await until('a replica that can lag', WHOLE_SECONDS, async () => {
    const standby = await nodes.synchronousStandby()
    const node = NODES.find((name) => name !== primary && name !== standby)
    const pid = standby === null || node === undefined ? null : await findReplayer(await nodes.postmaster(node))
    if (node === undefined || pid === null) return false
    frozen = { node, pid }
    return true
  })
  const { node, pid } = frozen!
  signal(pid, 'SIGSTOP')
  return { node, end: () => signal(pid, 'SIGCONT') }
}

/** The process of a replica that applies the log. */
async function findReplayer(postmaster: number | null): Promise<number | null> {
  for (const pid of postmaster === null ? [] : await descendants(postmaster))
    if (/startup/.test(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))) return pid
  return null
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
