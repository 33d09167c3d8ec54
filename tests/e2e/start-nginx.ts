import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { projectRoot } from '../../src/platform/project-root.server.ts'
import { findNginx } from '../support/find-nginx.ts'

/** A real nginx with deploy/nginx.conf before a shop: only the addresses, the files and the encryption differ. */
export async function startNginx(shopPort: number): Promise<{ url: string; stop(): Promise<void> }> {
  const nginx = findNginx()
  if (nginx === null) throw new Error('there is no nginx')
  const folder = await mkdtemp(join(tmpdir(), 'altocert-nginx-'))
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'temp'))
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/temp/${name};`)
    .join(' ')
  const written = await readFile(join(projectRoot, 'deploy/nginx.conf'), 'utf8')
  const replacements: readonly [string | RegExp, string][] = [
    ['worker_processes auto;', 'worker_processes 1;'],
    ['http {', `http { access_log off; ${temporary}`],
    ['/var/cache/nginx/altocert', `${folder}/cache`],
    ['server 127.0.0.1:3000;', `server 127.0.0.1:${shopPort};`],
    ['listen 80;', `listen 127.0.0.1:${await freePort()};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${port};`],
    [/\n *ssl_certificate[^\n]*/g, ''],
  ]
  const conf = replacements.reduce((text, [from, to]) => {
    if (text.search(from) === -1 && !text.includes(String(from))) throw new Error(`deploy/nginx.conf has no ${from}`)
    return text.replaceAll(from, to)
  }, written)
  await writeFile(join(folder, 'nginx.conf'), conf)
  const user = process.getuid?.() === 0 ? 'user root; ' : ''
  const settings = `daemon off; ${user}pid ${folder}/pid; error_log stderr warn;`
  const child = spawn(nginx, ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf'), '-g', settings], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await untilListening(port, () => child.exitCode !== null)
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilListening(port: number, hasEnded: () => boolean): Promise<void> {
  while (!(await accepts(port))) {
    if (hasEnded()) throw new Error('nginx did not start')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
