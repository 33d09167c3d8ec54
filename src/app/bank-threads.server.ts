import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Db } from '../db/open.server.ts'
import { markCheckFailed } from '../features/catalogue/drafts/checks/write.server.ts'
import type { Exported, ExportWanted } from '../features/exchange/exports/schema.ts'
import { copy } from '../features/exchange/imports/copy.ts'
import { giveBack, markBroken, tidyImports } from '../features/exchange/imports/write.server.ts'
import { Failure } from '../lib/failure.ts'
import type { Clock } from '../platform/clock.server.ts'
import type { Log } from '../platform/log.server.ts'

export type BankTask =
  | { readonly kind: 'read'; readonly importId: string }
  | { readonly kind: 'write'; readonly wanted: ExportWanted }
  | { readonly kind: 'check'; readonly checkId: string; readonly now: Date }

type About = Omit<Exported, 'chunks'>

export type TaskDone =
  | { readonly kind: 'read' | 'checked' }
  | { readonly kind: 'written'; readonly about: About; readonly chunks: Uint8Array[] }
  | { readonly kind: 'refused'; readonly code: string; readonly spec: ConstructorParameters<typeof Failure>[1] }
  | { readonly kind: 'broken'; readonly reason: string | undefined }

/** What a bank of the largest size takes while it is read, and no more: a hostile file ends its thread, not the server. */
const THREAD_MEMORY_MB = 300
/** A thread that nobody needs ends. */
const IDLE_MS = 60_000

export type BankThreads = {
  /** Reads an import as soon as the ones before it are read, one at a time. */
  readSoon(importId: string): void
  /** Takes up what waits: after a start, and what another process left. */
  tidy(): Promise<void>
  write(wanted: ExportWanted): Promise<About & { readonly body: ReadableStream<Uint8Array> }>
  /** Runs a check of the whole bank. @throws when it ended before it was done; it is marked as failed then. */
  check(checkId: string): Promise<void>
  stop(): Promise<void>
}

/** Banks of questions are read, written and checked in threads, so that the server answers others meanwhile. */
export function createBankThreads(of: { url: string; db: Db; clock: Clock; log: Log }): BankThreads {
  const { url, db, clock, log } = of
  const reader = createThread(url)
  const writer = createThread(url)
  const checker = createThread(url)
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
        const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
        const problem = copy[isMemory ? 'import.problem.memory' : 'import.problem.broken']
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
      if (done.kind !== 'written') throw new Error('The thread wrote nothing.')
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
      await Promise.all([reader.stop(), writer.stop(), checker.stop()])
      if (left !== null) await giveBack(db, left)
    },
  }
}

type Waiting = { readonly resolve: (done: TaskDone) => void; readonly reject: (error: unknown) => void }

/** A thread that is started when it is needed, and again when it ended. Its tasks are done in their order. */
function createThread(url: string) {
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let tasks: Waiting[] = []

  const end = async () => {
    clearTimeout(idle)
    const ending = worker
    worker = null
    await ending?.terminate()
  }
  const failAll = (error: unknown) => {
    worker = null
    const failed = tasks
    tasks = []
    for (const { reject } of failed) reject(error)
  }
  const begin = () => {
    const begun = startThread(url)
    begun.on('message', (done: TaskDone) => {
      const task = tasks.shift()
      if (tasks.length === 0) idle = setTimeout(() => void end(), IDLE_MS).unref()
      if (done.kind === 'refused') task?.reject(new Failure(done.code, done.spec))
      else if (done.kind === 'broken') task?.reject(new Error(done.reason))
      else task?.resolve(done)
    })
    begun.once('error', failAll)
    begun.once('exit', () =>
      worker === begun || worker === null ? failAll(new Error('The thread ended.')) : undefined,
    )
    begun.unref()
    return begun
  }
  return {
    run(task: BankTask): Promise<TaskDone> {
      clearTimeout(idle)
      worker ??= begin()
      const to = worker
      return new Promise((resolve, reject) => {
        tasks.push({ resolve, reject })
        to.postMessage(task)
      })
    },
    stop: end,
  }
}

function startThread(url: string): Worker {
  const workerData = { url }
  const resourceLimits = { maxOldGenerationSizeMb: THREAD_MEMORY_MB }
  // The build lays the thread beside the server; from the sources it is run as they are.
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(join(import.meta.dirname, 'bank-worker.js'), { workerData, resourceLimits })
  const source = pathToFileURL(join(import.meta.dirname, 'bank-worker.server.ts')).href
  const run = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(source)}) })`
  return new Worker(run, { eval: true, workerData, resourceLimits })
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
