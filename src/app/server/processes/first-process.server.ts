import cluster, { type Worker } from 'node:cluster'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startEmbedded, type EmbeddedServer } from '../../../db/embedded/embedded.server.ts'
import type { Env } from '../../../platform/env.server.ts'
import type { Log } from '../../../platform/log.server.ts'
import { projectRoot } from '../../../platform/project-root.server.ts'
import type { ToFirstProcess, ToWorker } from './process-messages.ts'
import { SharedFigures } from './shared-figures.server.ts'
import { SharedStreams } from './shared-streams.server.ts'

/** A worker that ends sooner than this after its start counts as one that cannot live. */
const SHORT_LIFE_MS = 10_000
/** The pause before such a worker is replaced; it doubles with each of them in a row. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** More than a worker takes to finish open requests and jobs; whatever still runs then is killed. */
const END_MS = 45_000

type Member = {
  readonly worker: Worker
  readonly startedAt: number
  /** Whether it is serving now; false when it ended before that. */
  readonly isServing: Promise<boolean>
  readonly ended: Promise<void>
  /** Its successor is starting, or it was told to end: its death is no reason to start another. */
  isLeaving: boolean
}

/** Runs the workers of a port: starts them, replaces those that die, and ends them. It serves no request itself. */
export class FirstProcess {
  readonly #env: Env
  readonly #log: Log
  readonly #members = new Map<number, Member>()
  readonly #figures = new SharedFigures()
  readonly #streams: SharedStreams
  #embedded: EmbeddedServer | null = null
  #shortLives = 0
  #isStopping = false
  #restart: Promise<void> | null = null
  #isRestartWanted = false

  constructor(env: Env, log: Log) {
    this.#env = env
    this.#log = log
    this.#streams = new SharedStreams({
      perUser: env.limits.stream,
      tellCount: (network, count) => {
        for (const { worker } of this.#members.values()) say(worker, { kind: 'network-streams', network, count })
      },
      endOldest: (id, userId) => {
        const member = this.#members.get(id)
        if (member !== undefined) say(member.worker, { kind: 'end-oldest-stream', userId })
      },
    })
  }

  /** Serves until SIGTERM or SIGINT. The first worker starts alone: it prepares the database, and says what is wrong with the start. */
  async run(): Promise<void> {
    const env = this.#env
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.#stop(0, signal))
    process.on('SIGHUP', () => void this.restart())
    cluster.setupPrimary({ exec: join(projectRoot, 'build/server/index.js'), args: [] })
    // Held here too, so that the database does not stop with a worker.
    if (env.database === null) this.#embedded = await startEmbedded({ dataDir: env.dataDir })
    const first = this.#begin()
    if (!(await first.isServing)) return this.#stop(1)
    const others = Array.from({ length: env.workers - 1 }, () => this.#begin())
    const areServing = await Promise.all(others.map(({ isServing }) => isServing))
    if (areServing.includes(false)) return this.#stop(1)
    this.#log.info({ workers: env.workers, pid: process.pid }, 'workers serve')
    for (const member of [first, ...others]) void this.#keepUp(member)
    process.stdout.write(`ready ${env.appUrl}\n`)
  }

  /** Replaces the workers one after the other: a new one serves before an old one ends. */
  async restart(): Promise<void> {
    this.#isRestartWanted = true
    if (this.#restart !== null) return this.#restart
    this.#restart = (async () => {
      while (this.#isRestartWanted && !this.#isStopping) {
        this.#isRestartWanted = false
        await this.#replaceAll()
      }
    })().finally(() => (this.#restart = null))
    return this.#restart
  }

  async #replaceAll(): Promise<void> {
    const old = [...this.#members.values()].filter(({ isLeaving }) => !isLeaving)
    this.#log.info({ workers: old.length }, 'restarting the workers')
    for (const member of old) {
      // It died meanwhile, and `#keepUp` has replaced it.
      if (!this.#members.has(member.worker.id)) continue
      member.isLeaving = true
      const next = this.#begin()
      if (!(await next.isServing)) {
        member.isLeaving = false
        if (!this.#members.has(member.worker.id)) void this.#keepUp(member)
        if (!this.#isStopping) this.#log.error({}, 'a new worker did not start, so the others are not restarted')
        return
      }
      void this.#keepUp(next)
      await this.#leave(member, { kind: 'retire' })
    }
    this.#log.info({}, 'restarted the workers')
  }

  /** Waits for the end of a worker that serves, and puts another in its place. */
  async #keepUp(member: Member): Promise<void> {
    await member.ended
    if (member.isLeaving || this.#isStopping) return
    const livedMs = performance.now() - member.startedAt
    this.#shortLives = livedMs < SHORT_LIFE_MS ? this.#shortLives + 1 : 0
    const { exitCode, signalCode } = member.worker.process
    const pauseMs =
      this.#shortLives === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#shortLives - 1))
    const ended = { worker: member.worker.process.pid, code: exitCode, signal: signalCode, pauseMs }
    this.#log.error(ended, 'a worker died and is replaced')
    await wait(pauseMs)
    if (!this.#isStopping) void this.#keepUp(this.#begin())
  }

  #begin(): Member {
    const worker = cluster.fork()
    let serve: () => void
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    const serving = new Promise<true>((resolve) => (serve = () => resolve(true)))
    worker.on('message', (message: ToFirstProcess) =>
      message.kind === 'serving' ? serve() : this.#hear(worker, message),
    )
    // Messages to a worker that is ending.
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      this.#members.delete(worker.id)
      this.#streams.forget(worker.id)
      this.#figures.forget(worker.id)
    })
    const isServing = Promise.race([serving, ended.then(() => false)])
    const member = { worker, startedAt: performance.now(), isServing, ended, isLeaving: false }
    this.#members.set(worker.id, member)
    for (const [network, count] of this.#streams.counts()) say(worker, { kind: 'network-streams', network, count })
    return member
  }

  #hear(worker: Worker, message: Exclude<ToFirstProcess, { kind: 'serving' }>): void {
    if (message.kind === 'figures') this.#figures.answered(worker.id, message.id, message.figures)
    else if (message.kind === 'stream-opened') this.#streams.opened(worker.id, message.stream)
    else if (message.kind === 'stream-closed') this.#streams.closed(worker.id, message.stream)
    else void this.#answerFigures(worker, message.id)
  }

  async #answerFigures(worker: Worker, id: number): Promise<void> {
    const figures = await this.#figures.collect([...this.#members.keys()], (asked, number) => {
      say(this.#members.get(asked)!.worker, { kind: 'figures-wanted', id: number })
    })
    say(worker, { kind: 'all-figures', id, figures })
  }

  async #leave(member: Member, order: ToWorker): Promise<void> {
    member.isLeaving = true
    say(member.worker, order)
    // One that is just starting may not have heard it.
    void member.isServing.then(() => say(member.worker, order))
    const limit = setTimeout(() => {
      this.#log.error({ worker: member.worker.process.pid }, 'a worker did not end and was killed')
      member.worker.process.kill('SIGKILL')
    }, END_MS)
    await member.ended
    clearTimeout(limit)
  }

  async #stop(code: number, signal?: string): Promise<void> {
    if (this.#isStopping) return
    this.#isStopping = true
    if (signal !== undefined) this.#log.info({ signal }, 'stopping the workers')
    await Promise.all([...this.#members.values()].map((member) => this.#leave(member, { kind: 'stop' })))
    await this.#embedded?.stop()
    process.exit(code)
  }
}

function say(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => undefined)
}
