import { readFile, readlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { mountSmallDisk, type SmallDisk } from '../chaos/small-disk.ts'
import { ARCHIVING, type Archive } from './log-archive.ts'
import { startChild, until, type Child } from './child-process.ts'
import { writeDeployFile, type Replacements } from './deploy-file.ts'
import { giveAway, ownFolder } from './own-folder.ts'
import type { Programs } from './programs.ts'

export const NODES = ['node1', 'node2', 'node3'] as const
export type NodeName = (typeof NODES)[number]

type Ports = { readonly postgres: number; readonly patroni: number }

/** Three nodes of PostgreSQL with Patroni, which agree by etcd on which of them is the primary. */
export type DatabaseNodes = {
  readonly ports: Readonly<Record<NodeName, Ports>>
  readonly superuserPassword: string
  patroni(node: NodeName): Child
  /** The process id of a node's PostgreSQL; null when it does not run. */
  postmaster(node: NodeName): Promise<number | null>
  /** The node that Patroni calls primary, `before` excepted; null while there is none. */
  primary(before?: NodeName): Promise<NodeName | null>
  /** Whether another node has everything that the primary acknowledges. */
  hasSynchronousStandby(): Promise<boolean>
  synchronousStandby(): Promise<NodeName | null>
  /** How many nodes follow the primary. */
  countStreaming(): Promise<number>
  startPatroni(node: NodeName): void
  /** The file system of a node; null without `small`. */
  disk(node: NodeName): SmallDisk | null
}

export const SUPERUSER_PASSWORD = 'superuser-of-the-cluster'

/** Room for ten minutes of imports, and of the log that is kept for a node whose disk is full. */
const DISK_MB = 4000

type Disks = { readonly areSmall: boolean; readonly onSkipped: (sentence: string) => void }

export async function startDatabaseNodes(
  folder: string,
  programs: Programs,
  onStop: (stopper: () => Promise<void>) => void,
  options: { readonly disks: Disks; readonly archive: Archive | null },
): Promise<DatabaseNodes> {
  const { disks, archive } = options
  const etcd = await startEtcd(folder, programs, onStop)
  const ports = {} as Record<NodeName, Ports>
  for (const node of NODES) ports[node] = { postgres: await freePort(), patroni: await freePort() }
  const children = new Map<NodeName, Child>()
  const dataDir = (node: NodeName) => join(folder, node, 'data')
  const mounted = new Map<NodeName, SmallDisk>()
  onStop(async () => {
    for (const disk of mounted.values()) disk.remove()
  })
  for (const node of NODES) {
    await ownFolder(join(folder, node))
    const disk = disks.areSmall ? mountSmallDisk(join(folder, node), DISK_MB) : null
    if (typeof disk === 'string') disks.onSkipped(disk)
    else if (disk !== null) mounted.set(node, disk)
    await giveAway(join(folder, node))
    await writeDeployFile('patroni.yml', join(folder, node, 'patroni.yml'), [
      ['name: node1', `name: ${node}`],
      ['10.0.0.11:8008', `127.0.0.1:${ports[node].patroni}`],
      ['10.0.0.11:5432', `127.0.0.1:${ports[node].postgres}`],
      ['10.0.0.21:2379,10.0.0.22:2379,10.0.0.23:2379', `127.0.0.1:${etcd.port}`],
      ['10.0.0.0/24', '127.0.0.0/8'],
      ['/usr/lib/postgresql/15/bin', dirname(programs.postgres)],
      ['/var/lib/postgresql/15/altocert', dataDir(node)],
      ['/var/lib/postgresql/altocert.pgpass', join(folder, node, 'pgpass')],
      ['/var/run/postgresql', join(folder, node)],
      ['replace-superuser', SUPERUSER_PASSWORD],
      // Nobody here is the user postgres of the system.
      ['local all postgres peer', 'local all postgres scram-sha-256'],
      ...(archive === null ? [] : ARCHIVING),
    ] satisfies Replacements)
    await archive?.prepare(node, { dataDir: dataDir(node), port: ports[node].postgres })
  }
  const startPatroni = (node: NodeName) => {
    const log = join(folder, 'logs', `${node}.log`)
    const environment = { HOME: join(folder, node), ...archive?.environment(node) }
    const command = [programs.patroni, join(folder, node, 'patroni.yml')] as const
    children.set(node, startChild(`Patroni of ${node}`, command, { log, environment, cwd: join(folder, node) }))
  }
  const listAnswering = async (path: string): Promise<NodeName[]> => {
    const answers = await Promise.all(NODES.map((node) => isOk(`http://127.0.0.1:${ports[node].patroni}${path}`)))
    return NODES.filter((_, at) => answers[at])
  }
  const ask = async (path: string, except?: NodeName) =>
    (await listAnswering(path)).find((node) => node !== except) ?? null
  const postmaster = (node: NodeName) => runningPostmaster(dataDir(node))
  onStop(async () => {
    await Promise.all([...children.values()].map((child) => child.stop('SIGTERM', 20_000)))
    // A Patroni that was killed leaves its PostgreSQL.
    for (const node of NODES) await endPostmaster(await postmaster(node))
  })
  // The first node becomes the primary; the others copy it.
  startPatroni(NODES[0])
  await until('the first PostgreSQL', 90, async () => (await ask('/primary')) !== null, children.get(NODES[0]))
  for (const node of NODES.slice(1)) startPatroni(node)
  const hasSynchronousStandby = async () => (await ask('/synchronous')) !== null
  await until('a synchronous standby', 120, hasSynchronousStandby)
  return {
    ports,
    superuserPassword: SUPERUSER_PASSWORD,
    patroni: (node) => children.get(node)!,
    postmaster,
    primary: (before) => ask('/primary', before),
    hasSynchronousStandby,
    synchronousStandby: () => ask('/synchronous'),
    countStreaming: async () => (await listAnswering('/replica')).length,
    startPatroni,
    disk: (node) => mounted.get(node) ?? null,
  }
}

async function isOk(address: string): Promise<boolean> {
  try {
    const reply = await fetch(address, { signal: AbortSignal.timeout(1000) })
    await reply.text()
    return reply.ok
  } catch {
    return false
  }
}

async function startEtcd(
  folder: string,
  programs: Programs,
  onStop: (stopper: () => Promise<void>) => void,
): Promise<{ port: number }> {
  const [port, peerPort] = [await freePort(), await freePort()]
  await ownFolder(join(folder, 'etcd'))
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  const settings = {
    name: 'etcd1',
    'enable-v2': 'true',
    'data-dir': join(folder, 'etcd/data'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `etcd1=${peer}`,
  }
  const command = [programs.etcd, ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`)] as const
  const child = startChild('etcd', command, { log: join(folder, 'logs/etcd.log') })
  onStop(() => child.stop())
  await until('etcd', 30, async () => (await fetch(`${client}/health`)).ok, child)
  return { port }
}

/** Null also when the number in the file belongs to another process by now. */
async function runningPostmaster(dataDir: string): Promise<number | null> {
  try {
    const pid = Number((await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n')[0])
    return (await readlink(`/proc/${pid}/cwd`)) === dataDir ? pid : null
  } catch {
    return null
  }
}

async function endPostmaster(pid: number | null): Promise<void> {
  if (pid === null) return
  process.kill(pid, 'SIGCONT')
  process.kill(pid, 'SIGQUIT')
  await until('the end of PostgreSQL', 20, async () => {
    try {
      process.kill(pid, 0)
      return false
    } catch {
      return true
    }
  })
}

/** The role and the database of the shop, as docs/operations.md has them made. */
export async function createShopDatabase(port: number, superuserPassword: string, password: string): Promise<void> {
  const url = `postgres://postgres:${superuserPassword}@127.0.0.1:${port}/postgres`
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    await client.query(text).finally(() => client.end())
    return true
  }
  // Fails on a replica: until its first checks HAProxy takes each node in turn for the primary.
  await until('the primary behind HAProxy', 30, async () => {
    let isPrimary = true
    for (let turn = 0; turn < NODES.length; turn += 1) isPrimary &&= await query('select pg_current_wal_lsn()')
    return isPrimary
  })
  await query(`create role altocert login password '${password}'`)
  await query('create database altocert owner altocert')
}
