import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { startChild, until, type Child } from './child-process.ts'
import { NODES, type DatabaseNodes } from './database-nodes.ts'
import { writeDeployFile } from './deploy-file.ts'
import type { Programs } from './programs.ts'

export async function startHaproxy(
  folder: string,
  programs: Programs,
  nodes: DatabaseNodes,
): Promise<{ child: Child; primaryPort: number; replicasPort: number }> {
  const [primaryPort, replicasPort] = [await freePort(), await freePort()]
  const file = join(folder, 'haproxy.cfg')
  await writeDeployFile('haproxy.cfg', file, [
    ['127.0.0.1:5000', `127.0.0.1:${primaryPort}`],
    ['127.0.0.1:5001', `127.0.0.1:${replicasPort}`],
    // On loopback each node has a port of its own for the checks.
    [' check port 8008', ''],
    ...NODES.map((node, at) => {
      const { postgres, patroni } = nodes.ports[node]
      return [`10.0.0.1${at + 1}:5432`, `127.0.0.1:${postgres} check port ${patroni}`] as const
    }),
  ])
  const child = startChild('HAProxy', [programs.haproxy, '-db', '-f', file], { log: join(folder, 'logs/haproxy.log') })
  await untilListening(child, primaryPort)
  return { child, primaryPort, replicasPort }
}

export async function startPgBouncer(
  folder: string,
  programs: Programs,
  options: { primaryPort: number; password: string },
): Promise<{ port: number; start(): Promise<Child> }> {
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'pgbouncer-users')
  await writeFile(users, `"altocert" "${options.password}"\n`)
  await writeDeployFile('pgbouncer.ini', file, [
    ['host=127.0.0.1 port=5432', `host=127.0.0.1 port=${options.primaryPort}`],
    ['listen_port = 6432', `listen_port = ${port}`],
    ['/etc/pgbouncer/userlist.txt', users],
    // At the end, without a socket in a shared folder.
    [/$/, 'unix_socket_dir =\n'],
  ])
  return {
    port,
    async start() {
      const log = join(folder, 'logs/pgbouncer.log')
      const child = startChild('PgBouncer', [programs.pgbouncer, file], { log })
      await untilListening(child, port)
      return child
    },
  }
}

/** nginx with the cache of guests' pages before the shop's processes. Only the addresses, the files and the encryption differ. */
export async function startNginx(
  folder: string,
  programs: Pick<Programs, 'nginx'>,
  options: { port: number; shopPorts: readonly number[] },
): Promise<Child> {
  const own = join(folder, 'nginx')
  await mkdir(join(own, 'temp'), { recursive: true })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${own}/temp/${name};`)
    .join(' ')
  const file = join(own, 'nginx.conf')
  await writeDeployFile('nginx.conf', file, [
    ['worker_processes auto;', 'worker_processes 1;'],
    ['http {', `http { access_log off; ${temporary}`],
    ['/var/cache/nginx/altocert', `${own}/cache`],
    ['server 127.0.0.1:3000;', options.shopPorts.map((port) => `server 127.0.0.1:${port};`).join(' ')],
    ['listen 80;', `listen 127.0.0.1:${await freePort()};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${options.port};`],
    [/\n *ssl_certificate [^\n]*/, ''],
    [/\n *ssl_certificate_key [^\n]*/, ''],
    // A shop with emulators refuses requests that were forwarded, because they may come from another machine.
    ['proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;', ''],
  ])
  const user = process.getuid?.() === 0 ? 'user root; ' : ''
  const settings = `daemon off; ${user}pid ${own}/pid; error_log stderr warn;`
  const command = [programs.nginx, '-p', own, '-e', 'stderr', '-c', file, '-g', settings] as const
  const child = startChild('nginx', command, { log: join(folder, 'logs/nginx.log'), isUnprivileged: false })
  await untilListening(child, options.port)
  return child
}

async function untilListening(child: Child, port: number): Promise<void> {
  await until(`${child.name} at port ${port}`, 20, () => accepts(port), child).catch(async (error: unknown) => {
    await child.stop('SIGKILL')
    throw error
  })
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
