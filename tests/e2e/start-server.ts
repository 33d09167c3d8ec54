import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { admin } from './shared-users.ts'

/** The built product, started as `npm start` starts it, on a database of its own; stopped when the browser tests are done. */
export default async function startServer() {
  const built = spawnSync(process.execPath, ['scripts/start.mjs', '--build-only'], { stdio: 'inherit' })
  if (built.status !== 0) throw new Error('the product could not be built')

  const dataDir = await mkdtemp(join(tmpdir(), 'altocert-e2e-'))
  // The embedded server's unprivileged user has to get in, or its files would lie elsewhere and stay behind.
  await chmod(dataDir, 0o755)
  const url = `http://localhost:${await freePort()}`
  const server = spawn(process.execPath, ['build/server/index.js'], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'production',
      PORT: new URL(url).port,
      DATA_DIR: dataDir,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      LOG_LEVEL: 'warn',
      // One admin and one network address do here in minutes what people do in days.
      LIMITS: 'checkout=100,coupon=100,search=1000,export=500,import=500,report=1000,guest=3000,account=3000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  await untilReady(server.stdout, ended)
  process.env['E2E_URL'] = url
  process.env['E2E_DATA_DIR'] = dataDir

  return async () => {
    server.kill('SIGTERM')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** What the server prints is shown; it is ready once it says so. */
function untilReady(output: NodeJS.ReadableStream, ended: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = ''
    output.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk)
      printed += chunk.toString()
      if (/^ready http/m.test(printed)) resolve()
    })
    void ended.then(() => reject(new Error('the server ended before it was ready')))
  })
}
