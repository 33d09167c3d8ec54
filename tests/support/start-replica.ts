import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { ensureBinaries, findRelease } from '../../src/db/embedded/embedded-binaries.server.ts'
import { CLEAN_ENVIRONMENT } from '../../src/db/embedded/embedded-cluster.server.ts'
import { isRoot, SERVER_USER } from '../../src/db/embedded/embedded-folder.server.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.server.ts'
import { migrate } from '../../src/db/migrate.server.ts'
import { openDatabase } from '../../src/db/open.server.ts'

export type ReplicatedDatabase = {
  readonly url: string
  readonly replicaUrl: string
  /** The replica goes on to receive what is written, and shows none of it. */
  pauseReplay(): Promise<void>
  resumeReplay(): Promise<void>
  stopReplica(): Promise<void>
  startReplica(): Promise<void>
  /** The replica's processes stand still; its connections stay. */
  freezeReplica(): void
  thawReplica(): void
  stop(): Promise<void>
}

/** A migrated database of its own on an embedded server, and a second server that follows it by streaming. */
export async function startReplicated(): Promise<ReplicatedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'altocert-replica-'))
  process.once('SIGTERM', () => {
    killServers(folder)
    process.exit()
  })
  await chmod(folder, 0o755)
  const dataDir = join(folder, 'primary')
  await mkdir(dataDir)
  const first = await startEmbedded({ dataDir })
  const database = openDatabase(first.url, { connections: 1 })
  await migrate(database.pool)
  await database.close()
  await first.stop()
  // A server that was stopped cleanly is its own base backup.
  const home = join(dataDir, 'postgres')
  const copy = join(folder, 'replica')
  execFileSync('cp', ['-a', join(home, 'cluster'), copy])
  await writeFile(join(copy, 'standby.signal'), '')
  const { password } = JSON.parse(await readFile(join(copy, 'altocert.json'), 'utf8')) as { password: string }
  const primary = await startEmbedded({ dataDir })
  const port = await freePort()
  const replicaUrl = new URL(primary.url)
  const source = `host=127.0.0.1 port=${replicaUrl.port} user=postgres password=${password}`
  replicaUrl.port = String(port)
  const replica = replicaProcess(join(ensureBinaries(findRelease(), home), 'bin', 'postgres'), copy, {
    port: String(port),
    primary_conninfo: source,
  })
  const asSuperuser = async (text: string) => {
    const client = new Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'altocert' })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  const start = async () => {
    replica.start()
    while ((await asSuperuser('select 1').catch((error: unknown) => error)) !== undefined) await wait(20)
  }
  await start()
  return {
    url: primary.url,
    replicaUrl: replicaUrl.href,
    pauseReplay: () => asSuperuser('select pg_wal_replay_pause()'),
    resumeReplay: () => asSuperuser('select pg_wal_replay_resume()'),
    stopReplica: () => replica.stop(),
    startReplica: start,
    freezeReplica: () => replica.signal('SIGSTOP'),
    thawReplica: () => replica.signal('SIGCONT'),
    async stop() {
      replica.signal('SIGCONT')
      await replica.stop()
      await primary.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Where a test file fails before its `afterAll` is known, nothing else ends the servers; Vitest ends the process so. */
function killServers(folder: string): void {
  for (const data of [join(folder, 'primary', 'postgres', 'cluster'), join(folder, 'replica')]) {
    const file = join(data, 'postmaster.pid')
    if (existsSync(file)) process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGQUIT')
  }
}

function replicaProcess(program: string, folder: string, settings: Readonly<Record<string, string>>) {
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    logging_collector: 'off',
    wal_receiver_status_interval: '1s',
    wal_retrieve_retry_interval: '100ms',
    ...settings,
  }
  let child: ReturnType<typeof spawn> | null = null
  let ended: Promise<unknown> = Promise.resolve()
  const listChildren = (pid: number) =>
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
      .map(Number)
  return {
    start() {
      child = spawn(
        program,
        ['-D', folder, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
        {
          ...(isRoot ? SERVER_USER : {}),
          cwd: '/',
          env: CLEAN_ENVIRONMENT,
          stdio: 'ignore',
        },
      )
      const started = child
      ended = new Promise((resolve) => started.once('exit', resolve))
    },
    signal(name: 'SIGSTOP' | 'SIGCONT') {
      if (child?.pid === undefined || child.exitCode !== null) return
      // The first one stands still first, so that it starts no others.
      for (const pid of [child.pid, ...listChildren(child.pid)]) process.kill(pid, name)
    },
    async stop() {
      child?.kill('SIGINT')
      await ended
    },
  }
}
