import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../src/app/server/free-port.server.ts'

const BIN = '/usr/lib/postgresql/15/bin'
/** PostgreSQL refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const SETTINGS = ['unix_socket_directories=', 'wal_keep_size=4GB', 'max_connections=120', 'timezone=UTC']

export const hasDebianPostgres = (): boolean => existsSync(join(BIN, 'postgres'))

export type DebianPostgres = {
  readonly url: string
  /** A standby that confirms each commit, once it is there; the first call copies the database. */
  attachStandby(): Promise<void>
  /** As if there were no standby. */
  detachStandby(): Promise<void>
  stop(): Promise<void>
}

/** PostgreSQL 15 of Debian with its own defaults, such as fsync, and a database of the shop. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'altocert-postgres-'))
  await chmod(folder, 0o755)
  if (NOBODY.uid !== undefined) await chown(folder, NOBODY.uid, NOBODY.gid)
  const port = await freePort()
  run('initdb', ['-D', join(folder, 'primary'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'])
  const primary = await startPostgres(join(folder, 'primary'), port)
  const query = <Row extends pg.QueryResultRow>(text: string) => queryOn<Row>(port, text)
  await query("create role altocert login password 'bench'")
  await query('create database altocert owner altocert')
  let standby: { port: number; stop(): Promise<void> } | null = null

  async function addStandby() {
    const own = await freePort()
    const data = join(folder, 'standby')
    run('pg_basebackup', [
      '-D',
      data,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      '-U',
      'postgres',
    ])
    return { ...(await startPostgres(data, own)), port: own }
  }
  const follow = async (from: string) => {
    await queryOn(standby!.port, `alter system set primary_conninfo = '${from}'`)
    await queryOn(standby!.port, 'select pg_reload_conf()')
  }
  const setSynchronous = async (names: string) => {
    await query(`alter system set synchronous_standby_names = '${names}'`)
    await query('select pg_reload_conf()')
  }
  const until = async (text: string) => {
    while ((await query<{ is: boolean }>(text)).rows[0]?.is !== true) await wait(20)
  }
  return {
    url: `postgres://altocert:bench@127.0.0.1:${port}/altocert`,
    async attachStandby() {
      standby ??= await addStandby()
      await follow(`host=127.0.0.1 port=${port} user=postgres`)
      await setSynchronous('*')
      await until(
        "select exists (select from pg_stat_replication where state = 'streaming' and sync_state = 'sync') as is",
      )
    },
    async detachStandby() {
      await setSynchronous('')
      if (standby !== null) await follow('')
      await until('select not exists (select from pg_stat_replication) as is')
    },
    async stop() {
      await standby?.stop()
      await primary.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(join(BIN, program), args, { ...NOBODY, cwd: '/', encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
}

async function startPostgres(data: string, port: number): Promise<{ stop(): Promise<void> }> {
  const settings = [...SETTINGS, 'listen_addresses=127.0.0.1', `port=${port}`].flatMap((setting) => ['-c', setting])
  const child = spawn(join(BIN, 'postgres'), ['-D', data, ...settings], {
    ...NOBODY,
    cwd: '/',
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (
    !(await queryOn(port, 'select').then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error('PostgreSQL did not start')
    await wait(50)
  }
  return {
    async stop() {
      child.kill('SIGINT')
      await ended
    },
  }
}

async function queryOn<Row extends pg.QueryResultRow>(port: number, text: string): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` })
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.query<Row>(text)
  } finally {
    await client.end()
  }
}
