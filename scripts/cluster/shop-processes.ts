import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { Interrupted, startChild, until, type Child } from './child-process.ts'

const PROCESSES = 2
const WORKERS = 2
const START_SECONDS = 180
export const ADMIN = { email: 'ada@example.com', password: 'Correct-Horse-7!' }

/** Two times `npm start`, which share the database and with it the emulators. */
export type ShopProcesses = {
  readonly ports: readonly number[]
  children(): readonly Child[]
  /** Ends one process as an upgrade does, and starts the code of this folder in its place. Tells how long each of the two took. */
  replace(at: number, root: string): Promise<{ readonly endMs: number; readonly startMs: number }>
  /** Starts the code of this folder beside the others, and waits until it ends or serves. */
  startBeside(root: string): Promise<{ readonly serves: boolean; readonly logFile: string }>
  stop(ms?: number): Promise<void>
}

/** Builds the code of this folder, if it has not been built. */
export function build(root: string): void {
  const { status, signal, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', '--build-only'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (signal === 'SIGINT' || signal === 'SIGTERM') throw new Interrupted()
  if (status !== 0) throw new Error(`the build failed: ${stderr}`)
}

export async function startShop(
  folder: string,
  { root, environment }: { root: string; environment: Record<string, string> },
): Promise<ShopProcesses> {
  const dataDir = join(folder, 'shop')
  const secret = randomBytes(32).toString('base64url')
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'auth-secret'), secret)
  const ports: number[] = []
  const children: Child[] = []
  const launch = (name: string, port: number, options: { root: string; logFile: string }) =>
    startChild(name, [process.execPath, 'scripts/start.mjs'], {
      log: options.logFile,
      isUnprivileged: false,
      cwd: options.root,
      environment: {
        PORT: String(port),
        DATA_DIR: dataDir,
        AUTH_SECRET: secret,
        WEB_CONCURRENCY: String(WORKERS),
        LISTEN_HOST: '127.0.0.1',
        EDGE_CACHE_SECONDS: '60',
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
        LOG_LEVEL: 'warn',
        ...environment,
      },
    })
  const launchAt = (at: number, from: string) =>
    launch(`process ${at + 1} of the shop`, ports[at]!, {
      root: from,
      logFile: join(folder, `logs/shop-${at + 1}.log`),
    })
  const serves = (port: number) => async () =>
    (await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2000) })).ok
  const untilServing = (at: number) =>
    until(`process ${at + 1} of the shop`, START_SECONDS, serves(ports[at]!), children[at])
  for (let number = 0; number < PROCESSES; number += 1) {
    ports.push(await freePort())
    children.push(launchAt(number, root))
  }
  const stop = async (ms = 30_000) => void (await Promise.all(children.map((child) => child.stop('SIGTERM', ms))))
  try {
    for (const at of children.keys()) await untilServing(at)
  } catch (error) {
    // They may be in the middle of their start, and have nothing to lose.
    await stop(3_000)
    throw error
  }
  return {
    ports,
    children: () => children,
    async replace(at, from) {
      const beganAt = performance.now()
      await children[at]!.stop('SIGTERM', 30_000)
      const endedAt = performance.now()
      children[at] = launchAt(at, from)
      await untilServing(at)
      return { endMs: endedAt - beganAt, startMs: performance.now() - endedAt }
    },
    async startBeside(from) {
      const port = await freePort()
      const logFile = join(folder, 'logs/shop-beside.log')
      const child = launch('a process beside the shop', port, { root: from, logFile })
      const isServing = await until(child.name, START_SECONDS, serves(port), child).then(
        () => true,
        () => false,
      )
      await child.stop('SIGTERM', 30_000)
      return { serves: isServing, logFile }
    },
    stop,
  }
}
