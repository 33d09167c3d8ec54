import { spawn, type ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'

export type ServerProcess = {
  readonly url: string
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  printed(): string
}

/** A data folder of its own that the database's unprivileged user may enter. */
export async function dataFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'altocert-process-'))
  await chmod(path, 0o755)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** The built server as `npm start` runs it, without the surroundings of this process. */
export function launch(dataDir: string, port: number, environment: Record<string, string> = {}): ServerProcess {
  const child = spawn(process.execPath, ['build/server/index.js'], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const output of [child.stdout, child.stderr])
    output?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  return { url: `http://localhost:${port}`, child, ended, printed: () => printed }
}

export async function untilReady(server: ServerProcess, timeout = 60_000): Promise<void> {
  await expect
    .poll(() => server.printed().includes('ready http') || server.child.exitCode !== null, { timeout })
    .toBe(true)
  expect(server.printed()).toContain(`ready ${server.url}`)
}
