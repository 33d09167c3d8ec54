import { fork, type ChildProcess } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../db/open.server.ts'
import { markCheckFailed } from '../../features/authoring/checks/question-checks-commands.server.ts'
import type { Exported, ExportSelection } from '../../features/exchange/exports/exports.schema.ts'
import { copy } from '../../features/exchange/imports/imports.copy.ts'
import { restoreOwnership, markBroken, tidyImports } from '../../features/exchange/imports/imports-commands.server.ts'
import { Failure } from '../../lib/failure.ts'
import type { Clock } from '../../platform/clock.server.ts'
import type { Log } from '../../platform/log.server.ts'

export type BankTask =
  | { readonly kind: 'read'; readonly importId: string }
  | { readonly kind: 'write'; readonly wanted: ExportSelection }
  | { readonly kind: 'check'; readonly checkId: string; readonly now: Date }

type About = Omit<Exported, 'chunks'>

/** The first word to a worker: on which database it works. */
export type BeginTask = { readonly kind: 'begin'; readonly url: string }

export type TaskDone =
  | { readonly kind: 'read' | 'checked' }
  | { readonly kind: 'written'; readonly about: About; readonly chunks: Uint8Array[] }
  | { readonly kind: 'refused'; readonly code: string; readonly spec: ConstructorParameters<typeof Failure>[1] }
  | { readonly kind: 'broken'; readonly reason: string | undefined }

/** What a bank of the largest size takes while it is read, and no more: a hostile file ends its worker, not the server. */
const WORKER_MEMORY_MB = 300
/** A worker that nobody needs ends. */
const IDLE_MS = 60_000

export type BankWorkers = {
  /** Reads an import as soon as the ones before it are read, one at a time. */
  readSoon(importId: string): void
  /** Takes up what waits: after a start, and what another process left. */
  tidy(): Promise<void>
  write(wanted: ExportSelection): Promise<About & { readonly body: ReadableStream<Uint8Array> }>
  /** Runs a check of the whole bank. @throws when it ended before it was done; it is marked as failed then. */
  check(checkId: string): Promise<void>
  stop(): Promise<void>
}

/**
 * Banks of questions are read, written and checked in processes of their own, so that the server answers others meanwhile. Threads
 * would not do: one that asks for more memory than there is takes the whole process with it.
 */
export function createBankWorkers(of: { url: string; db: Db; clock: Clock; log: Log }): BankWorkers {
  const { url, db, clock, log } = of
  const reader = createWorker(url)
  const writer = createWorker(url)
  const checker = createWorker(url)
  const waiting: string[] = []
  let reading: string | null = null
  let isStopped = false

  async function readNext(): Promise<void> {
    const importId = waiting.shift()
    if (reading !== null || isStopped || importId === undefined) return
    reading = importId
    try {
      await reader.run({ kind: 'read', importId })
    } catch (error) {
      if (!isStopped) {
        log.error({ err: error, importId }, 'an import could not be read')
        const problem = copy[error instanceof WorkerKilled ? 'import.problem.memory' : 'import.problem.broken']
        await markBroken(db, { importId, problem, now: clock.now() })
      }
    } finally {
      reading = null
    }
    await readNext()
  }
  const readSoon = (importId: string) => {
    if (reading !== importId && !waiting.includes(importId)) waiting.push(importId)
    if (reading === null) readNext().catch((error: unknown) => log.error({ err: error }, 'imports are not read'))
  }
  return {
    readSoon,
    async tidy() {
      for (const importId of await tidyImports(db, clock.now())) readSoon(importId)
    },
    async write(wanted) {
      const done = await writer.run({ kind: 'write', wanted })
      if (done.kind !== 'written') throw new Error('The worker wrote nothing.')
      return { ...done.about, body: bodyOf(done.chunks) }
    },
    async check(checkId) {
      try {
        await checker.run({ kind: 'check', checkId, now: clock.now() })
      } catch (error) {
        await markCheckFailed(db, checkId, clock.now())
        throw error
      }
    },
    async stop() {
      isStopped = true
      const left = reading
      for (const worker of [reader, writer, checker]) worker.stop()
      if (left !== null) await restoreOwnership(db, left)
    },
  }
}

type Waiting = { readonly resolve: (done: TaskDone) => void; readonly reject: (error: unknown) => void }

/** Nothing ends a worker from outside but its memory: at its own limit, or where the machine has none left. */
class WorkerKilled extends Error {}

/** A process that is started when it is needed, and again when it ended. Its tasks are done in their order. */
function createWorker(url: string) {
  let worker: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined
  let tasks: Waiting[] = []

  const failAll = (error: unknown) => {
    const failed = tasks
    tasks = []
    for (const { reject } of failed) reject(error)
  }
  const end = () => {
    clearTimeout(idle)
    const ending = worker
    worker = null
    ending?.kill('SIGKILL')
    failAll(new Error('The worker was stopped.'))
  }
  const begin = () => {
    const begun = startWorker(url)
    const ended = (error: Error) => {
      if (worker !== begun) return
      worker = null
      failAll(error)
    }
    begun.on('message', (done: TaskDone) => {
      const task = tasks.shift()
      if (tasks.length === 0) idle = setTimeout(end, IDLE_MS).unref()
      if (done.kind === 'refused') task?.reject(new Failure(done.code, done.spec))
      else if (done.kind === 'broken') task?.reject(new Error(done.reason))
      else task?.resolve(done)
    })
    begun.once('error', ended)
    begun.once('exit', (code, signal) =>
      ended(signal === null ? new Error(`The worker ended with ${code}.`) : new WorkerKilled(`The worker: ${signal}.`)),
    )
    begun.unref()
    begun.channel?.unref()
    return begun
  }
  return {
    run(task: BankTask): Promise<TaskDone> {
      clearTimeout(idle)
      worker ??= begin()
      const to = worker
      return new Promise((resolve, reject) => {
        tasks.push({ resolve, reject })
        to.send(task)
      })
    },
    stop: end,
  }
}

function startWorker(url: string): ChildProcess {
  const isBuilt = !import.meta.url.endsWith('.ts')
  // The build lays the worker beside the server; from the sources it is run as they are.
  const file = join(import.meta.dirname, isBuilt ? 'bank-worker.js' : 'bank-worker.server.ts')
  const worker = fork(file, {
    execArgv: [`--max-old-space-size=${WORKER_MEMORY_MB}`, ...(isBuilt ? [] : ['--import', 'tsx'])],
    // Bytes stay bytes on their way.
    serialization: 'advanced',
  })
  yieldToServer(worker.pid)
  worker.send({ kind: 'begin', url } satisfies BeginTask)
  return worker
}

/** At once, and not when the worker has loaded: starting takes as much of the machine as a small file. */
function yieldToServer(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Not every host lets a process set priorities; without them it is slower for others, and right.
  }
}

function bodyOf(chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
  })
}
