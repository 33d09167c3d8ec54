import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

export type Child = {
  readonly name: string
  readonly pid: number
  hasEnded(): boolean
  readonly ended: Promise<string>
  /** Sends the signal to the program alone. */
  kill(signal: NodeJS.Signals): void
  /** Asks the program to end, and kills its group when it takes longer than `ms`. */
  stop(signal?: NodeJS.Signals, ms?: number): Promise<void>
}

/** etcd, Patroni, PostgreSQL, HAProxy and PgBouncer run as somebody who may do nothing else; the first of them refuse to run as root. */
export const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Somebody ended the cluster while it started. */
export class Interrupted extends Error {}

let isInterrupted = false

/** Ends a start at its next step; with false, what stops the programs can wait for them again. */
export function interrupt(is = true): void {
  isInterrupted = is
}

/** Starts a program in a group of its own, so that Ctrl-C reaches only us, and we can end them in order. */
export function startChild(
  name: string,
  [program, ...args]: readonly [string, ...string[]],
  options: { log: string; environment?: Record<string, string>; isUnprivileged?: boolean; cwd?: string },
): Child {
  if (isInterrupted) throw new Interrupted()
  const log = createWriteStream(options.log, { flags: 'a' })
  const child = spawn(program, args, {
    ...(options.isUnprivileged === false ? {} : UNPRIVILEGED),
    cwd: options.cwd ?? '/',
    detached: true,
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  let hasEnded = false
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      hasEnded = true
      resolve(how)
    }
    child.once('error', (error) => end(error.message))
    child.once('exit', (code, signal) => end(String(signal ?? code)))
  })
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // Nobody of the group is left.
    }
  }
  return {
    name,
    pid: child.pid ?? 0,
    hasEnded: () => hasEnded,
    ended,
    kill: (signal) => void child.kill(signal),
    async stop(signal = 'SIGTERM', ms = 15_000) {
      child.kill(signal)
      const timeout = new AbortController()
      const isLate = await Promise.race([
        ended.then(() => false),
        wait(ms, true, { signal: timeout.signal }).catch(() => false),
      ])
      timeout.abort()
      if (isLate) console.error(`${name} did not end within ${ms / 1000} seconds and is killed.`)
      signalGroup('SIGKILL')
      await ended
      log.end()
    },
  }
}

/** Waits until `isTrue` gives true. @throws Interrupted; Error when that takes longer than `seconds`, or the program that it needs has ended */
export async function until(
  what: string,
  seconds: number,
  isTrue: () => Promise<boolean>,
  program: Child | null = null,
): Promise<void> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    if (isInterrupted) throw new Interrupted()
    if (await isTrue().catch(() => false)) return
    if (program?.hasEnded()) throw new Error(`${program.name} ended with ${await program.ended}`)
    if (performance.now() > end) throw new Error(`${what}: not within ${seconds} seconds`)
    await wait(100)
  }
}
