import { fork, type ChildProcess } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { mayPass } from '../../../db/connect-with-retry.server.ts'
import { addressOf, type DatabaseAddress, type Db } from '../../../db/open.server.ts'
import { isOnReplica, type Replica } from '../../../db/replica.server.ts'
import { markCheckFailed } from '../../../features/authoring/checks/question-checks-commands.server.ts'
import { isCheckOpen } from '../../../features/authoring/checks/question-checks-queries.server.ts'
import type { Exported, ExportSelection } from '../../../features/exchange/exports/exports.schema.ts'
import { findSize } from '../../../features/exchange/dry-run/dry-run-queries.server.ts'
import type { ImportProblem } from '../../../features/exchange/imports/imports.copy.ts'
import { longestReadingMs, STEP_SILENCE_MS } from '../../../features/exchange/imports/imports.ts'
import {
  beatImport,
  listSilentImports,
  requeueLost,
} from '../../../features/exchange/dry-run/lost-readings-commands.server.ts'
import {
  markBroken,
  restoreOwnership,
  tidyImports,
} from '../../../features/exchange/imports/imports-commands.server.ts'
import type { CardsFile, CardsOf } from '../../../features/study/anki-cards/study-cards-queries.server.ts'
import { Failure } from '../../../lib/failure.ts'
import type { Clock } from '../../../platform/clock.server.ts'
import type { Log } from '../../../platform/log.server.ts'
import { Lookout, startBeat } from '../../../platform/silent-work.server.ts'

export type BankTask =
  | { readonly kind: 'read'; readonly importId: string }
  | { readonly kind: 'export'; readonly selection: ExportSelection }
  | { readonly kind: 'cards'; readonly of: CardsOf }
  | { readonly kind: 'check'; readonly checkId: string; readonly now: Date }

type FileFacts = Omit<Exported, 'chunks'>

/** The first message to a worker. */
export type OpenTask = { readonly kind: 'open'; readonly address: DatabaseAddress }

export type TaskResult =
  | { readonly kind: 'read' | 'checked' }
  | { readonly kind: 'exported'; readonly file: FileFacts; readonly chunks: Uint8Array[] }
  | { readonly kind: 'cards'; readonly file: CardsFile }
  | { readonly kind: 'refused'; readonly code: string; readonly spec: ConstructorParameters<typeof Failure>[1] }
  /** The database did not answer, or has no room. */
  | { readonly kind: 'away' }
  | { readonly kind: 'error'; readonly stack: string | undefined }

/** A worker's message between a task and its result: it is still reading. */
export type StepTaken = { readonly kind: 'step' }

/** Enough to read the largest bank. A hostile file that needs more ends its worker, not the server. */
const MAX_WORKER_MB = 300
/** Collects garbage earlier than a server would, because the server's memory is beside it. It costs a tenth of the time. */
const WORKER_MEMORY = [`--max-old-space-size=${MAX_WORKER_MB}`, '--max-semi-space-size=4', '--optimize-for-size']
const IDLE_MS = 60_000
/** How long to wait before the database is tried again. */
const AWAY_PAUSE_MS = 1_000

export type BankWorkers = {
  /** Reads the file of an import after those queued before it, one at a time. */
  queueImport(importId: string): void
  /** Queues imports that wait in the database, and those whose process died. */
  resumeImports(): Promise<void>
  exportQuestions(
    selection: ExportSelection,
    from: Db,
  ): Promise<FileFacts & { readonly body: ReadableStream<Uint8Array> }>
  /** A learner's cards for Anki. @throws Failure cards.none */
  exportCards(of: CardsOf): Promise<CardsFile>
  /** Checks the whole question bank. @throws if the check did not finish; unless the database is away it is then marked as failed */
  check(checkId: string): Promise<void>
  stop(): Promise<void>
}

/**
 * Question banks are read, exported and checked in child processes, so that the server keeps answering. Threads would not
 * do: one that runs out of memory ends the whole process.
 */
export function createBankWorkers(deps: {
  address: DatabaseAddress
  replica?: Replica | null
  db: Db
  clock: Clock
  log: Log
  /** What reads imports, and how long it may take without a step. Tests pass a worker of their own that hangs. */
  reading?: { workerFile: string; silenceMs: number }
}): BankWorkers {
  const { address, replica = null, db, clock, log, reading: { workerFile, silenceMs = STEP_SILENCE_MS } = {} } = deps
  const reader = createWorker(address, workerFile)
  const exporter = createWorker(address)
  const checker = createWorker(address)
  const replicaExporter = replica === null ? exporter : createWorker(addressOf(replica.url))
  replica?.onLost(() => replicaExporter.stop())
  const queue: string[] = []
  let reading: string | null = null
  const lookout = new Lookout()
  const logWaiting = (err: unknown) => log.warn({ err }, 'an import waits until another process takes it over')
  let isStopped = false

  async function readNext(): Promise<void> {
    const importId = queue.shift()
    if (reading !== null || isStopped || importId === undefined) return
    reading = importId
    // By this process and not by the reader, which is busy for long at times.
    const beat = startBeat(() => beatImport(db, importId))
    try {
      const totalMs = longestReadingMs(await findSize(db, importId))
      await reader.run({ kind: 'read', importId }, { silenceMs, totalMs })
    } catch (error) {
      if (isStopped) return
      log.error({ err: error, importId }, 'failed to read an import')
      const isDatabaseAway = error instanceof DatabaseAway || mayPass(error)
      await onceBack(async () => {
        if (!isDatabaseAway) return markBroken(db, { importId, problem: problemOf(error), now: clock.now() })
        await restoreOwnership(db, importId)
        await wait(AWAY_PAUSE_MS)
        queue.unshift(importId)
      })
    } finally {
      beat.stop()
      reading = null
    }
    await readNext()
  }
  /** Does it as soon as the database answers. */
  async function onceBack(work: () => Promise<void>): Promise<void> {
    for (;;) {
      if (isStopped) return
      try {
        return await work()
      } catch (error) {
        if (!mayPass(error)) throw error
        await wait(AWAY_PAUSE_MS)
      }
    }
  }
  const queueImport = (importId: string) => {
    if (reading !== importId && !queue.includes(importId)) queue.push(importId)
    if (reading === null)
      readNext().catch((error: unknown) => log.error({ err: error }, 'the queue of imports stopped'))
  }
  return {
    queueImport,
    async resumeImports() {
      await requeueLost(db, lookout.findLost(await listSilentImports(db)), clock.now())
      for (const importId of await tidyImports(db, clock.now())) queueImport(importId)
    },
    async exportQuestions(selection, from) {
      const result = await (isOnReplica(from) ? replicaExporter : exporter).run({ kind: 'export', selection })
      if (result.kind !== 'exported') throw new Error('The worker exported nothing.')
      return { ...result.file, body: streamOf(result.chunks) }
    },
    async exportCards(of) {
      const result = await exporter.run({ kind: 'cards', of })
      if (result.kind !== 'cards') throw new Error('The worker exported no cards.')
      return result.file
    },
    async check(checkId) {
      // A process that died may have been about to say how it ended.
      if (!(await isCheckOpen(db, checkId))) return
      try {
        await checker.run({ kind: 'check', checkId, now: clock.now() })
      } catch (error) {
        // It is tried again, by the next process if this one stops.
        if (isStopped || error instanceof DatabaseAway || mayPass(error)) throw error
        const failure = error instanceof WorkerKilled ? 'memory' : 'broken'
        await markCheckFailed(db, { checkId, failure, now: clock.now() })
        throw error
      }
    },
    async stop() {
      isStopped = true
      const unfinished = reading
      for (const worker of [reader, exporter, replicaExporter, checker]) worker.stop()
      if (unfinished !== null) await restoreOwnership(db, unfinished).catch(logWaiting)
    },
  }
}

type PendingTask = { readonly resolve: (result: TaskResult) => void; readonly reject: (error: unknown) => void }

/** A signal ended the worker: it reached its memory limit, or the machine ran out of memory. */
class WorkerKilled extends Error {}

/** The worker lost the database. */
class DatabaseAway extends Error {}

/** The worker was ended because it took no step for too long, or too long in all. */
class WorkerSlow extends Error {}

function problemOf(error: unknown): ImportProblem {
  if (error instanceof WorkerSlow) return 'slow'
  return error instanceof WorkerKilled ? 'memory' : 'broken'
}

/** For a worker that has one such task at a time. */
type Bounds = { readonly silenceMs: number; readonly totalMs: number }

/**
 * Calls `end` when a task takes no step for too long, or too long in all. The silence counts from its first step, because a process
 * may need long to start on a busy machine.
 */
function watch({ silenceMs, totalMs }: Bounds, end: (error: WorkerSlow) => void) {
  const endAfter = (ms: number, what: string) =>
    setTimeout(() => end(new WorkerSlow(`The worker ${what} for ${ms} ms.`)), ms).unref()
  const total = endAfter(totalMs, 'was busy with one task')
  let silence: NodeJS.Timeout | undefined
  return {
    hearStep() {
      silence ??= endAfter(silenceMs, 'took no step')
      silence.refresh()
    },
    stop() {
      clearTimeout(silence)
      clearTimeout(total)
    },
  }
}

/** A child process that starts with its first task, and again after it ended. It runs tasks in order. */
function createWorker(address: DatabaseAddress, file = WORKER_FILE) {
  let worker: ChildProcess | null = null
  let watching: ReturnType<typeof watch> | null = null
  let idle: NodeJS.Timeout | undefined
  let tasks: PendingTask[] = []

  const failAll = (error: unknown) => {
    const failed = tasks
    tasks = []
    for (const { reject } of failed) reject(error)
  }
  const stop = (error: Error = new Error('The worker was stopped.')) => {
    clearTimeout(idle)
    const stopped = worker
    worker = null
    stopped?.kill('SIGKILL')
    failAll(error)
  }
  const start = () => {
    const started = startWorker(address, file)
    const handleEnd = (error: Error) => {
      if (worker !== started) return
      worker = null
      failAll(error)
    }
    started.on('message', (result: TaskResult | StepTaken) => {
      // What an ended worker had sent says nothing about its successor's tasks.
      if (worker !== started) return
      if (result.kind === 'step') return watching?.hearStep()
      const task = tasks.shift()
      if (tasks.length === 0) idle = setTimeout(() => stop(), IDLE_MS).unref()
      if (result.kind === 'refused') task?.reject(new Failure(result.code, result.spec))
      else if (result.kind === 'away') task?.reject(new DatabaseAway())
      else if (result.kind === 'error') task?.reject(new Error(result.stack))
      else task?.resolve(result)
    })
    started.once('error', handleEnd)
    started.once('exit', (code, signal) =>
      handleEnd(
        signal === null ? new Error(`The worker ended with ${code}.`) : new WorkerKilled(`The worker: ${signal}.`),
      ),
    )
    started.unref()
    started.channel?.unref()
    return started
  }
  return {
    async run(task: BankTask, bounds?: Bounds): Promise<TaskResult> {
      clearTimeout(idle)
      const current = (worker ??= start())
      const result = new Promise<TaskResult>((resolve, reject) => {
        tasks.push({ resolve, reject })
        current.send(task)
      })
      if (bounds === undefined) return result
      const ofTask = watch(bounds, stop)
      watching = ofTask
      return result.finally(() => ofTask.stop())
    },
    stop: () => stop(),
  }
}

const isBuilt = !import.meta.url.endsWith('.ts')

/** The build writes the worker beside the server; in development the TypeScript file runs. */
const WORKER_FILE = join(import.meta.dirname, isBuilt ? 'bank-worker.js' : 'bank-worker.server.ts')

function startWorker(address: DatabaseAddress, file: string): ChildProcess {
  const worker = fork(file, {
    execArgv: [...WORKER_MEMORY, ...(isBuilt ? [] : ['--import', 'tsx'])],
    // Keeps Uint8Array chunks as they are; JSON would not.
    serialization: 'advanced',
  })
  lowerPriority(worker.pid)
  worker.send({ kind: 'open', address } satisfies OpenTask)
  return worker
}

/** Called before the worker has loaded: loading costs as much CPU as reading a small file. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Some hosts forbid it. The worker then slows the server down, but its results are the same.
  }
}

function streamOf(chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
  })
}
