import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { projectRoot } from '../../src/platform/project-root.server.ts'

/** The path of the system's PgBouncer; null when there is none. */
export function findPgBouncer(): string | null {
  return ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find(existsSync) ?? null
}

/** A real PgBouncer with deploy/pgbouncer.ini before the database at `url`: only the addresses and the files differ. */
export async function startPgBouncer(url: string): Promise<{ url: string; stop(): Promise<void> }> {
  const program = findPgBouncer()
  if (program === null) throw new Error('there is no PgBouncer')
  const { hostname, port, pathname, username, password } = new URL(url)
  const folder = await mkdtemp(join(tmpdir(), 'altocert-pgbouncer-'))
  await chmod(folder, 0o755)
  const ownPort = await freePort()
  const written = await readFile(join(projectRoot, 'deploy/pgbouncer.ini'), 'utf8')
  const replacements: readonly [string, string][] = [
    [
      'altocert = host=127.0.0.1 port=5432 dbname=altocert',
      `${pathname.slice(1)} = host=${hostname} port=${port} dbname=${pathname.slice(1)}`,
    ],
    ['listen_port = 6432', `listen_port = ${ownPort}`],
    ['auth_file = /etc/pgbouncer/userlist.txt', `auth_file = ${folder}/users`],
  ]
  const settings = replacements.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`deploy/pgbouncer.ini has no line ${from}`)
    return text.replace(from, to)
  }, written)
  await writeFile(join(folder, 'users'), `"${username}" "${decodeURIComponent(password)}"\n`)
  await writeFile(join(folder, 'pgbouncer.ini'), `${settings}unix_socket_dir =\n`)
  // It refuses to run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn(program, ['-q', join(folder, 'pgbouncer.ini')], {
    ...nobody,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const pooled = new URL(url)
  pooled.hostname = '127.0.0.1'
  pooled.port = String(ownPort)
  await untilAnswering(pooled.href, () => child.exitCode !== null)
  return {
    url: pooled.href,
    async stop() {
      // At once: SIGTERM would wait for the clients.
      child.kill('SIGQUIT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilAnswering(url: string, hasEnded: () => boolean): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (hasEnded()) throw new Error('PgBouncer did not start', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
