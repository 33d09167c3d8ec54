import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

/** `built`: as `npm start` runs it. `source`: without a build and without pages. */
export type Program = 'built' | 'source'

/** The server, started again by this process whenever it ends, as systemd would. */
export type Shop = {
  readonly url: string
  readonly program: Program
  /** What ended although nobody had killed it, and starts that failed. */
  readonly deaths: string[]
  readonly failedStarts: string[]
  start(environment?: Record<string, string>): Promise<void>
  kill(): void
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>
}

/** Clients here are few network addresses that do the work of many. */
const HIGH_LIMITS = ['checkout', 'coupon', 'search', 'export', 'import', 'payment', 'account', 'guest', 'stream']
  .map((name) => `${name}=1000000`)
  .join(',')
const RESTART_MS = 300
const FIRST_START_MS = 180_000

export function createShop(options: {
  readonly root: string
  readonly program: Program
  readonly dataDir: string
  readonly port: number
  readonly clockFile: string
  /** Everything that the server writes. */
  readonly logFile: string
}): Shop {
  const { root, program, dataDir, port, clockFile } = options
  const output = createWriteStream(options.logFile, { flags: 'a' })
  const deaths: string[] = []
  const failedStarts: string[] = []
  const expected = new WeakSet<ChildProcess>()
  let child: ChildProcess | null = null
  let added: Record<string, string> = {}
  let isWanted = false
  let onReady: (() => void) | null = null

  function launch() {
    const clock = pathToFileURL(join(root, 'scripts/chaos/wrong-clock.mjs')).href
    const entry = program === 'built' ? ['build/server/index.js'] : ['--import', 'tsx', 'scripts/chaos/source-shop.ts']
    const started = spawn(process.execPath, ['--import', clock, ...entry], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        PORT: String(port),
        DATA_DIR: dataDir,
        DEMO_CATALOGUE: 'off',
        LOG_LEVEL: 'warn',
        LIMITS: HIGH_LIMITS,
        CHAOS_CLOCK_FILE: clockFile,
        ...added,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    let isReady = false
    let last = ''
    for (const stream of [started.stdout!, started.stderr!])
      stream.on('data', (chunk: Buffer) => {
        output.write(chunk)
        last = (last + chunk.toString()).slice(-2000)
        if (!isReady && last.includes('ready http')) {
          isReady = true
          onReady?.()
        }
      })
    started.once('exit', (code, signal) => {
      if (!expected.has(started)) {
        const said = `${code ?? signal}: ${last.trim().split('\n').at(-1)?.slice(0, 300) ?? ''}`
        if (isReady) deaths.push(said)
        else failedStarts.push(said)
      }
      if (isWanted) setTimeout(() => isWanted && launch(), RESTART_MS)
    })
  }

  return {
    url: `http://localhost:${port}`,
    program,
    deaths,
    failedStarts,
    async start(environment = {}) {
      added = environment
      isWanted = true
      const ready = new Promise<void>((resolve) => (onReady = resolve))
      launch()
      const late = wait(FIRST_START_MS, 'late', { ref: false })
      if ((await Promise.race([ready, late])) === 'late')
        throw new Error(`the server did not start: ${failedStarts.at(-1) ?? 'it printed no "ready"'}`)
    },
    kill() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return
      expected.add(child)
      child.kill('SIGKILL')
    },
    async stop() {
      isWanted = false
      const ending = child
      if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return
      expected.add(ending)
      const ended = once(ending, 'exit')
      ending.kill('SIGTERM')
      const timer = setTimeout(() => ending.kill('SIGKILL'), 40_000)
      const [code] = (await ended) as [number | null]
      clearTimeout(timer)
      if (code !== 0) deaths.push(`did not stop on SIGTERM (${code})`)
    },
  }
}
