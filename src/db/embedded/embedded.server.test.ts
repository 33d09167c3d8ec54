import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { findRelease, ensureCopy } from './embedded-binaries.server.ts'
import { canEnter, isAlive, isRoot, SERVER_USER, SYSTEM_FOLDER } from './embedded-folder.server.ts'
import { startEmbedded, type EmbeddedServer } from './embedded.server.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const NOBODY = { uid: 65534, gid: 65534 }

test('a server that was stopped has its rows when it starts again', async () => {
  const dataDir = aDataFolder()
  const first = await startEmbedded({ dataDir })
  expect(first.owned).toBe(true)
  await ask(first.url, "create table note (words text); insert into note values ('größer')")
  await first.stop()
  expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false)

  const second = await start(dataDir)
  expect(await ask(second.url, 'select words from note')).toEqual([{ words: 'größer' }])
})

test('the database is durable, checked, in UTF-8 and UTC, and listens on loopback only', async () => {
  const { server } = running
  const settings = await ask(
    server.url,
    `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit',
      'data_checksums', 'server_encoding', 'TimeZone', 'jit', 'listen_addresses', 'max_connections') order by name collate "C"`,
  )
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    TimeZone: 'UTC',
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    jit: 'off',
    listen_addresses: '127.0.0.1',
    max_connections: '100',
    server_encoding: 'UTF8',
    synchronous_commit: 'on',
  })
  expect(
    await ask(server.url, `select datlocprovider::text, datlocale from pg_database where datname = 'altocert'`),
  ).toEqual([{ datlocprovider: 'b', datlocale: 'C.UTF-8' }])
})

test('other users of the machine cannot connect', async () => {
  const { server, dataDir } = running
  for (const user of ['altocert', 'postgres']) {
    const url = new URL(server.url)
    url.username = user
    url.password = 'a guess'
    await expect(ask(url.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    url.password = ''
    await expect(ask(url.href, 'select 1')).rejects.toThrow(/password/)
  }
  const cluster = join(dataDir, 'postgres/cluster')
  const socketFolder = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[4]
  expect(socketFolder).toBe('')
  expect(statSync(cluster).mode & 0o777).toBe(0o700)
  expect(statSync(join(cluster, 'altocert.json')).mode & 0o777).toBe(0o600)
  expect(statSync(join(dataDir, 'postgres/postgres.log')).mode & 0o777).toBe(0o600)
  // The application's password does not give superuser rights.
  expect(await ask(server.url, 'select usesuper from pg_user where usename = current_user')).toEqual([
    { usesuper: false },
  ])
})

test.runIf(process.platform === 'linux')('the server does not see the secrets in our environment', async () => {
  const { dataDir } = running
  expect(readFileSync(`/proc/${postmasterPid(dataDir)}/environ`, 'utf8')).not.toContain('sk_secret')
})

test('every acknowledged row survives when the application is killed, and the next start joins its server', async () => {
  const dataDir = aDatabase()
  const writer = aProcess(dataDir, WRITER)
  const printed = await writer.linesUntil((line) => line === 'row 300')
  await writer.kill()
  const orphan = postmasterPid(dataDir)
  expect(isAlive(orphan)).toBe(true)

  const server = await startEmbedded({ dataDir })
  expect(server.owned).toBe(false)
  expect(postmasterPid(dataDir)).toBe(orphan)
  expect(await rowsMissing(server, [...printed, ...writer.rest()])).toEqual([])
  await server.stop()
  expect(hasEnded(orphan)).toBe(true)
})

test('every acknowledged row survives when the application and the server are killed', async () => {
  const dataDir = aDatabase()
  const writer = aProcess(dataDir, WRITER)
  const printed = await writer.linesUntil((line) => line === 'row 300')
  process.kill(postmasterPid(dataDir), 'SIGKILL')
  await writer.kill()

  const server = await start(dataDir)
  expect(server.owned).toBe(true)
  expect(await rowsMissing(server, [...printed, ...writer.rest()])).toEqual([])
})

test('a server that is killed under a running application comes back at the same address', async () => {
  const dataDir = aDatabase()
  const messages: string[] = []
  const server = await start(dataDir, (message) => messages.push(message))
  const joined = await start(dataDir)
  await ask(server.url, "create table note (words text); insert into note values ('kept')")
  process.kill(postmasterPid(dataDir), 'SIGKILL')
  await vi.waitFor(
    async () => expect(await ask(server.url, 'select words from note')).toEqual([{ words: 'kept' }]),
    60_000,
  )
  expect(messages).toEqual(['Lost the embedded database: reconnecting'])

  // Both have leased the server again: the first to stop leaves it running for the other.
  await vi.waitFor(async () => expect(await ask(server.url, LEASES)).toEqual([{ leases: 2 }]), 60_000)
  await server.stop()
  expect(await ask(joined.url, 'select words from note')).toEqual([{ words: 'kept' }])
})

test('a restart that fails is logged once and tried again every second until it succeeds', async () => {
  const dataDir = aDatabase()
  const [messages, errors]: [string[], string[]] = [[], []]
  const server = await startEmbedded({
    dataDir,
    log: (message) => messages.push(message),
    logError: (message) => errors.push(message),
  })
  onTestFinished(() => server.stop())
  await ask(server.url, "create table note (words text); insert into note values ('kept')")
  const settings = join(dataDir, 'postgres/cluster/postgresql.conf')
  const good = readFileSync(settings)
  appendFileSync(settings, '\nshared_bufers = 1GB\n')
  process.kill(postmasterPid(dataDir), 'SIGKILL')
  const log = join(dataDir, 'postgres/postgres.log')
  const refusals = () => readFileSync(log, 'utf8').split('unrecognized configuration parameter').length - 1
  await vi.waitFor(() => expect(refusals()).toBeGreaterThan(2), 60_000)
  expect(errors).toEqual(['The embedded database does not start; it is tried again every second'])

  writeFileSync(settings, good)
  await vi.waitFor(
    async () => expect(await ask(server.url, 'select words from note')).toEqual([{ words: 'kept' }]),
    60_000,
  )
  await vi.waitFor(() => expect(messages.at(-1)).toBe('The embedded database is back'), 60_000)
})

test('stopping does not wait for a server that cannot restart', async () => {
  const dataDir = aDatabase()
  const errors: string[] = []
  const server = await startEmbedded({ dataDir, logError: (message) => errors.push(message) })
  appendFileSync(join(dataDir, 'postgres/cluster/postgresql.conf'), '\nshared_bufers = 1GB\n')
  process.kill(postmasterPid(dataDir), 'SIGKILL')
  await vi.waitFor(() => expect(errors).toHaveLength(1), 60_000)
  await server.stop()
})

test('a start waits until the children of a killed server have ended', async () => {
  const dataDir = aDatabase()
  const server = await start(dataDir)
  const client = new Client(server.url)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const child = rows[0]?.pid ?? 0
  process.kill(child, 'SIGSTOP')
  process.kill(postmasterPid(dataDir), 'SIGKILL')

  const log = join(dataDir, 'postgres/postgres.log')
  await vi.waitFor(() => expect(readFileSync(log, 'utf8')).toContain('pre-existing shared memory block'), 60_000)
  process.kill(child, 'SIGCONT')
  await vi.waitFor(async () => expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }]), 60_000)
  await client.end().catch(() => {})
})

test('a second process joins, and the last process to stop ends the server', async () => {
  const dataDir = aDatabase()
  const first = await startEmbedded({ dataDir })
  const second = aProcess(dataDir, HOLDER)
  expect(await second.line()).toBe(`${first.url} false`)

  await first.stop()
  expect(await ask(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
  const pid = postmasterPid(dataDir)
  await second.end()
  expect(hasEnded(pid)).toBe(true)
})

test('a process that joins and leaves does not stop the server of a process that has lost its lease', async () => {
  const dataDir = aDatabase()
  const app = aProcess(dataDir, HOLDER)
  const [url = ''] = (await app.line()).split(' ')
  const pid = postmasterPid(dataDir)
  const command = await startEmbedded({ dataDir })
  // Held still, the app cannot take a new lease for the one that it loses now.
  app.signal('SIGSTOP')
  expect(await endOtherLeases(dataDir, command.url)).toBe(1)
  expect(await ask(url, LEASES)).toEqual([{ leases: 1 }])
  await command.stop()
  expect(isAlive(pid)).toBe(true)
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])

  app.signal('SIGCONT')
  await vi.waitFor(async () => expect(await ask(url, LEASES)).toEqual([{ leases: 1 }]), 60_000)
  expect(postmasterPid(dataDir)).toBe(pid)
  await app.end()
  expect(hasEnded(pid)).toBe(true)
  expect(readdirSync(join(dataDir, 'postgres')).filter((name) => name.startsWith('user-'))).toEqual([])
})

test('stopping twice releases one lease only', async () => {
  const dataDir = aDatabase()
  const first = await startEmbedded({ dataDir })
  const second = await start(dataDir)
  await Promise.all([first.stop(), first.stop()])
  await first.stop()
  expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('two processes that start at the same time in a new folder share one server', async () => {
  const dataDir = aDataFolder()
  const both = [aProcess(dataDir, HOLDER), aProcess(dataDir, HOLDER)]
  const lines = await Promise.all(both.map((process) => process.line()))
  const [urls, owned] = [0, 1].map((part) => lines.map((line) => line.split(' ')[part]))
  expect(urls?.[0]).toBe(urls?.[1])
  expect(owned?.sort()).toEqual(['false', 'true'])
  expect(filesOf(dataDir)).toEqual(['cluster', 'postgres.log'])
  const pid = postmasterPid(dataDir)
  await Promise.all(both.map((process) => process.end()))
  expect(hasEnded(pid)).toBe(true)
})

test('four that start at once on existing files share one server', async () => {
  const dataDir = aDatabase()
  const servers = await Promise.all([1, 2, 3, 4].map(() => start(dataDir)))
  expect(new Set(servers.map(({ url }) => url)).size).toBe(1)
  expect(servers.filter(({ owned }) => owned)).toHaveLength(1)
})

test('a start while the last user is stopping gets a server that keeps running', async () => {
  const dataDir = aDatabase()
  let server = await startEmbedded({ dataDir })
  for (let round = 0; round < 5; round++) {
    const [, next] = await Promise.all([server.stop(), startEmbedded({ dataDir })])
    server = next
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  }
  await server.stop()
})

test('the next start recovers from a crash while the database is created', async () => {
  const dataDir = aDataFolder()
  const home = join(dataDir, 'postgres')
  const child = aProcess(dataDir, HOLDER)
  await vi.waitFor(() => expect(readdirSync(home).some((name) => name.startsWith('init-'))).toBe(true), {
    timeout: 20_000,
    interval: 5,
  })
  await child.kill()
  expect(existsSync(join(home, 'cluster'))).toBe(false)

  const server = await startEmbedded({ dataDir })
  expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.stop()
  // The killed process's initdb may have continued for a moment; the next start removes the rest.
  await start(dataDir)
  expect(filesOf(dataDir)).toEqual(['cluster', 'postgres.log'])
})

test('a pid file with a dead process or an unrelated program does not block a start', async () => {
  const dataDir = aDatabase()
  const cluster = join(dataDir, 'postgres/cluster')
  const { uid, gid } = statSync(cluster)
  // Runs as the server's own user, so that PostgreSQL by itself would refuse to start.
  const stranger = spawn('sleep', ['600'], isRoot ? { uid, gid } : {})
  onTestFinished(() => void stranger.kill('SIGKILL'))
  const dead = spawnSync('true').pid
  for (const pid of [dead, stranger.pid]) {
    const pidFile = join(cluster, 'postmaster.pid')
    writeFileSync(pidFile, `${pid}\n${cluster}\n1795228069\n1\n\n127.0.0.1\n\nready   \n`, { mode: 0o600 })
    if (isRoot) chownSync(pidFile, uid, gid)
    const server = await startEmbedded({ dataDir })
    expect(server.owned).toBe(true)
    await server.stop()
  }
  expect(stranger.exitCode).toBe(null)
  expect(stranger.signalCode).toBe(null)
})

test('a data folder of another version or architecture, or without its password, is refused with an explanation', async () => {
  const dataDir = aDatabase()
  const cluster = join(dataDir, 'postgres/cluster')
  const infoFile = join(cluster, 'altocert.json')
  const original = readFileSync(infoFile, 'utf8')

  writeFileSync(join(cluster, 'PG_VERSION'), '17\n')
  await expect(startEmbedded({ dataDir })).rejects.toThrow(/was made by PostgreSQL 17, and this release brings 18/)
  writeFileSync(join(cluster, 'PG_VERSION'), '18\n')

  writeFileSync(infoFile, JSON.stringify({ ...JSON.parse(original), architecture: 's390x' }))
  await expect(startEmbedded({ dataDir })).rejects.toThrow(/was made on s390x, and this machine is/)

  writeFileSync(infoFile, '')
  await expect(startEmbedded({ dataDir })).rejects.toThrow(/altocert.json is missing or damaged/)

  writeFileSync(infoFile, JSON.stringify({ ...JSON.parse(original), password: 'x'.repeat(32) }))
  await expect(startEmbedded({ dataDir })).rejects.toThrow(/does not know the password in altocert.json/)

  writeFileSync(infoFile, original)
  await start(dataDir)
})

test('a start that fails shows the last lines of the log', async () => {
  const dataDir = aDatabase()
  appendFileSync(join(dataDir, 'postgres/cluster/postgresql.conf'), '\nshared_bufers = 1GB\n')
  await expect(startEmbedded({ dataDir })).rejects.toThrow(
    /unrecognized configuration parameter "shared_bufers"[^]*DATABASE_URL/,
  )
})

test('on a platform without binaries the error mentions DATABASE_URL', () => {
  expect(() => findRelease('sunos-sparc')).toThrow(/no embedded PostgreSQL for sunos-sparc.*DATABASE_URL/)
})

test('the binaries are copied with the links that npm leaves out', () => {
  const folder = aFolder()
  const installed = findRelease()
  const release = { ...installed, folder: join(folder, 'native') }
  cpSync(installed.folder, release.folder, { recursive: true, filter: (from) => !lstatSync(from).isSymbolicLink() })
  const copy = ensureCopy(release, folder)
  const { stdout } = spawnSync(join(copy, 'bin/postgres'), ['--version'], { encoding: 'utf8' })
  expect(stdout).toMatch(/^postgres \(PostgreSQL\) 18\./)
})

test('a copy of the binaries that is damaged or not ours is replaced, an intact one is reused', () => {
  const folder = aFolder()
  const release = { folder: join(folder, 'native'), version: '18.0.0', target: 'linux-x64' }
  mkdirSync(join(release.folder, 'bin'), { recursive: true })
  mkdirSync(join(release.folder, 'lib'))
  writeFileSync(join(release.folder, 'bin/postgres'), 'a program', { mode: 0o755 })
  writeFileSync(join(release.folder, 'lib/libpq.so.5.18'), 'a library')
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' }]
  writeFileSync(join(release.folder, 'pg-symlinks.json'), JSON.stringify(links))

  const copy = ensureCopy(release, folder)
  const program = join(copy, 'bin/postgres')
  const link = join(copy, 'lib/libpq.so')
  expect(statSync(program).mode & 0o777).toBe(0o755)
  const { ino } = statSync(copy)
  expect(ensureCopy(release, folder)).toBe(copy)
  expect(statSync(copy).ino).toBe(ino)

  const dead = spawnSync('true').pid
  mkdirSync(join(folder, `copy-${dead}-half`))
  const damages: (() => void)[] = [
    () => writeFileSync(program, 'b program'),
    () => writeFileSync(join(copy, 'lib/libmore.so'), 'more'),
    () => rmSync(join(copy, 'lib/libpq.so.5.18')),
    () => (rmSync(link), symlinkSync('/tmp/libpq.so', link)),
    () => chmodSync(program, 0o777),
    () => chmodSync(join(copy, 'lib'), 0o777),
    () => chmodSync(program, 0o644),
    () => rmSync(join(copy, 'manifest.json')),
    () => (rmSync(copy, { recursive: true }), symlinkSync(release.folder, copy)),
  ]
  if (isRoot) damages.push(() => chownSync(program, NOBODY.uid, NOBODY.gid))
  if (isRoot) damages.push(() => chownSync(copy, NOBODY.uid, NOBODY.gid))
  for (const damage of damages) {
    damage()
    expect(ensureCopy(release, folder)).toBe(copy)
    expect(lstatSync(copy)).toMatchObject({ uid: process.getuid?.() })
    expect(lstatSync(copy).isDirectory()).toBe(true)
    expect(readdirSync(join(copy, 'lib')).sort()).toEqual(['libpq.so', 'libpq.so.5.18'])
    expect(readFileSync(program, 'utf8')).toBe('a program')
    expect(statSync(program)).toMatchObject({ uid: process.getuid?.(), mode: 0o100755 })
    expect(readlinkSync(link)).toBe('libpq.so.5.18')
  }
  expect(readdirSync(folder).sort()).toEqual(['native', 'native-18.0.0-linux-x64'])
})

test.runIf(isRoot)('as root, the server runs as a user of its own with binaries that belong to root', async () => {
  const { dataDir } = running
  const pid = postmasterPid(dataDir)
  expect(statSync(`/proc/${pid}`).uid).toBe(SERVER_USER.uid)
  expect(readlinkSync(`/proc/${pid}/exe`).startsWith(`${SYSTEM_FOLDER}/native-`)).toBe(true)
  expect(statSync(SYSTEM_FOLDER)).toMatchObject({ uid: 0 })
  const inside = readdirSync(join(dataDir, 'postgres/cluster'), { recursive: true, encoding: 'utf8' })
  expect(inside.filter((name) => lstatSync(join(dataDir, 'postgres/cluster', name)).uid !== SERVER_USER.uid)).toEqual(
    [],
  )
})

test.runIf(isRoot)(
  'as root with a private data folder, the files go to /var/lib/altocert and no mode changes',
  async () => {
    const closed = aFolder()
    chmodSync(closed, 0o700)
    const dataDir = join(closed, 'checkout/data')
    mkdirSync(dataDir, { recursive: true, mode: 0o755 })
    const modes = () =>
      [closed, dirname(dataDir), dataDir].map((path) => statSync(path)).map(({ mode, uid }) => [mode, uid])
    const before = modes()

    const first = await startEmbedded({ dataDir })
    const home = readFileSync(join(dataDir, 'postgres.location'), 'utf8').trim()
    onTestFinished(() => rmSync(home, { recursive: true }))
    expect(dirname(home)).toBe(SYSTEM_FOLDER)
    await ask(first.url, "create table note (words text); insert into note values ('kept')")
    await first.stop()
    const second = await startEmbedded({ dataDir })
    expect(await ask(second.url, 'select words from note')).toEqual([{ words: 'kept' }])
    await second.stop()

    expect(modes()).toEqual(before)
    expect(readdirSync(dataDir)).toEqual(['postgres.location'])

    writeFileSync(join(dataDir, 'postgres.location'), '/var/lib/altocert/0000000000000000\n')
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/which is gone/)
    writeFileSync(join(dataDir, 'postgres.location'), '/etc\n')
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/not a folder of Altocert/)
  },
)

test.runIf(isRoot)(
  'as root, a database whose folder became private is not replaced by an empty one elsewhere',
  async () => {
    const dataDir = aDatabase()
    chmodSync(dataDir, 0o700)
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/may no longer enter/)
    expect(existsSync(join(dataDir, 'postgres.location'))).toBe(false)
  },
)

test.runIf(isRoot && canEnter(process.cwd(), NOBODY))(
  'when root starts the database of an ordinary user, the server still runs as that user',
  async () => {
    const dataDir = aDataFolder()
    chownSync(dataDir, NOBODY.uid, NOBODY.gid)
    chmodSync(dataDir, 0o700)
    const child = aProcess(dataDir, WRITER, NOBODY)
    await child.linesUntil((line) => line === 'row 1')
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(NOBODY.uid)
    await child.kill()
    await (await startEmbedded({ dataDir })).stop()

    const server = await startEmbedded({ dataDir })
    expect(await rowsMissing(server, ['row 1'])).toEqual([])
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(NOBODY.uid)
    await server.stop()

    const again = aProcess(dataDir, HOLDER, NOBODY)
    expect(await again.line()).toMatch(/ true$/)
    await again.end()
  },
)

const MODULE = pathToFileURL(join(import.meta.dirname, 'embedded.server.ts')).href

/** Prints the server's address, keeps the server until stdin ends, then stops it. */
const HOLDER = `
  const server = await startEmbedded({ dataDir: process.env.DATA_DIR })
  console.log(server.url, server.owned)
  process.stdin.resume().once('end', () => server.stop())`

/** Prints each row once the database has acknowledged it. */
const WRITER = `
  import { Client } from 'pg'
  const server = await startEmbedded({ dataDir: process.env.DATA_DIR })
  const client = new Client(server.url)
  process.on('uncaughtException', () => process.exit(1))
  await client.connect()
  await client.query('create table entry (number integer primary key)')
  for (let number = 1; ; number++) {
    await client.query('insert into entry values ($1)', [number])
    console.log('row ' + number)
  }`

function aProcess(dataDir: string, script: string, as?: { uid: number; gid: number }) {
  const code = `import { startEmbedded } from ${JSON.stringify(MODULE)}\n${script}`
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
    ...as,
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'close')
  const lines: string[] = []
  if (!child.stdout) throw new Error('the child has no output')
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))

  async function linesUntil(isEnough: (line: string) => boolean) {
    while (!lines.some(isEnough)) {
      if (child.exitCode !== null) throw new Error(`the child ended with ${child.exitCode}`)
      await Promise.race([once(reader, 'line'), ended])
    }
    return lines.splice(0)
  }
  return {
    linesUntil,
    line: async () => (await linesUntil(() => true))[0] ?? '',
    rest: () => lines.splice(0),
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async end() {
      child.stdin?.end()
      await ended
      expect(child.exitCode).toBe(0)
    },
  }
}

const LEASES = `select count(*)::int as leases from pg_stat_activity where application_name = 'altocert lease'`

/** Ends the oldest lease as a network would, by the superuser. */
async function endOtherLeases(dataDir: string, url: string) {
  const { password } = JSON.parse(readFileSync(join(dataDir, 'postgres/cluster/altocert.json'), 'utf8')) as {
    password: string
  }
  const root = new URL(url)
  root.username = 'postgres'
  root.password = password
  const ended = await ask(
    root.href,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'altocert lease'
     order by backend_start limit 1`,
  )
  return ended.length
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

async function rowsMissing(server: EmbeddedServer, printed: string[]) {
  const stored = new Set((await ask(server.url, 'select number from entry')).map(({ number }) => `row ${number}`))
  return printed.filter((line) => !stored.has(line))
}

async function start(dataDir: string, log?: (message: string) => void) {
  const server = await startEmbedded({ dataDir, log })
  onTestFinished(() => server.stop())
  return server
}

/** What lies beside the database's files, without what names the processes that use it. */
function filesOf(dataDir: string) {
  return readdirSync(join(dataDir, 'postgres'))
    .filter((name) => !name.startsWith('user-'))
    .sort()
}

function postmasterPid(dataDir: string) {
  return Number(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0])
}

/** Also true for a zombie: a process that ended before its parent waited for it. */
function hasEnded(pid: number) {
  return !isAlive(pid) || (existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') === '')
}

function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'altocert-embedded-'))
  chmodSync(folder, 0o755)
  return folder
}

function aFolder() {
  const folder = makeFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 20, retryDelay: 50 }))
  return folder
}

let template: string
/** A server that several tests share and do not change. */
let running: { dataDir: string; server: EmbeddedServer }

beforeAll(async () => {
  template = makeFolder()
  await (await startEmbedded({ dataDir: template })).stop()
  const dataDir = makeFolder()
  vi.stubEnv('STRIPE_SECRET_KEY', 'sk_secret')
  running = { dataDir, server: await startEmbedded({ dataDir }) }
  vi.unstubAllEnvs()
  return async () => {
    await running.server.stop()
    for (const folder of [template, dataDir]) rmSync(folder, { recursive: true })
  }
})

/** A data folder with a stopped, empty database. It is a copy, because creating one takes a second. */
function aDatabase() {
  const folder = join(aFolder(), 'data')
  spawnSync('cp', ['-a', template, folder])
  return folder
}

/** An empty data folder. */
function aDataFolder() {
  const folder = join(aFolder(), 'data')
  mkdirSync(folder)
  return folder
}
