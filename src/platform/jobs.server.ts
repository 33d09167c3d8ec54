import { setTimeout as wait } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import PgBoss from 'pg-boss'
import type { Db } from '../db/open.server.ts'
import type { Log } from './log.server.ts'
import type { Figure } from './metrics.server.ts'

export type JobOptions = { readonly retryLimit?: number; readonly retryDelay?: number; readonly retryBackoff?: boolean }

/** Work that is done soon, once, by whichever process is free; it lies in the same database, so it commits with its cause. */
export type Jobs = {
  /** What was done is kept for some days, unless the work itself asks to be forgotten. */
  work<Data extends object>(
    name: string,
    options: JobOptions,
    handle: (data: Data, forget: () => Promise<void>) => Promise<void>,
  ): Promise<void>
  /** Runs every `seconds`, in one process at a time. */
  every(name: string, seconds: number, handle: () => Promise<void>): void
  send(name: string, data: object, tx?: Db): Promise<void>
  figures(): Figure[]
  stop(): Promise<void>
}

/** As long as a slow mail server takes to answer, and less than whoever stops the process waits (docs/operations.md). */
const STOP_MS = 20_000
/** How long after a failure it is written again how a job ended. */
const WRITE_AGAIN_MS = 1_000
/** Two that make a queue at once would each wait for the other in the database. */
const QUEUES = 'make-queues'

export async function createJobs(pool: pg.Pool, log: Log): Promise<Jobs> {
  const asked = new Set<Promise<unknown>>()
  let isStopping = false
  let isOver = false
  const ask = (text: string, values?: unknown[]): Promise<{ rows: unknown[] }> => {
    // What its timers still ask for when it has stopped: the pool may be gone, and nobody hears the answer.
    if (isOver) return new Promise<never>(() => undefined)
    const answer = pool.query(text, values)
    asked.add(answer)
    const forget = () => void asked.delete(answer)
    answer.then(forget, forget)
    return answer
  }
  // Outside: pg-boss does not wait for its note of how a job ended (a queue, then a list of jobs), so a failure of that would be
  // nobody's and end the process. It is written again until the database has it: a mail that was sent is not sent twice.
  const executeSql = async (text: string, values?: unknown[]) => {
    const isNote = Array.isArray(values?.[1])
    for (;;) {
      try {
        return await ask(text, values)
      } catch (error) {
        if (!isNote) throw error
        log.warn({ err: error }, 'the end of a job could not be noted')
        if (isStopping) return { rows: [{ count: 0 }] }
        await wait(WRITE_AGAIN_MS)
      }
    }
  }
  const boss = new PgBoss({ db: { executeSql }, schema: 'jobs' })
  boss.on('error', (error) => log.error({ err: error }, 'jobs'))
  await boss.start()
  const workers = new Map<string, string>()
  const timers: NodeJS.Timeout[] = []
  const running = new Set<Promise<void>>()
  const counts = { done: 0, failed: 0 }
  return {
    async work(name, options, handle) {
      await oneAfterAnother(pool, QUEUES, async () => {
        await boss.createQueue(name, { name, policy: 'standard', ...options })
        await boss.updateQueue(name, { name, policy: 'standard', ...options })
      })
      const id = await boss.work<object>(name, { pollingIntervalSeconds: 0.5, batchSize: 1 }, async (jobs) => {
        for (const job of jobs) {
          try {
            await handle(job.data as never, () => boss.deleteJob(name, job.id))
            counts.done += 1
          } catch (error) {
            counts.failed += 1
            log.warn({ err: error, job: name, id: job.id }, 'job failed and will be tried again')
            throw error
          }
        }
      })
      workers.set(name, id)
    },
    every(name, seconds, handle) {
      const run = async () => {
        try {
          await onceAtATime(pool, name, handle)
          counts.done += 1
        } catch (error) {
          counts.failed += 1
          log.error({ err: error, job: name }, 'regular job failed')
        }
      }
      // A round that takes long is not joined by the next one: what waits for a slow database would take its connections.
      let isRunning = false
      timers.push(
        setInterval(() => {
          if (isRunning) return
          isRunning = true
          const one = run().finally(() => {
            isRunning = false
            running.delete(one)
          })
          running.add(one)
        }, seconds * 1000),
      )
    },
    async send(name, data, tx) {
      await boss.send(name, data, tx === undefined ? {} : { db: asBossDb(tx) })
      const worker = workers.get(name)
      if (worker !== undefined) boss.notifyWorker(worker)
    },
    figures: () => [
      {
        name: 'altocert_jobs_total',
        kind: 'counter',
        help: 'Jobs and regular work that this process has run.',
        values: Object.entries(counts).map(([outcome, count]) => [{ outcome }, count] as const),
      },
    ],
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.allSettled(running)
      isStopping = true
      // What is being done needs the database to say that it is done.
      await boss.stop({ graceful: true, wait: true, timeout: STOP_MS, close: false })
      isOver = true
      await Promise.allSettled(asked)
    },
  }
}

function asBossDb(tx: Db): PgBoss.Db {
  return {
    executeSql: async (text, values) => ({ rows: (await tx.executeQuery(CompiledQuery.raw(text, values ?? []))).rows }),
  }
}

/** Waits while another process is at it. */
async function oneAfterAnother(pool: pg.Pool, name: string, handle: () => Promise<void>) {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    try {
      await handle()
    } finally {
      await client.query('select pg_advisory_unlock(hashtext($1))', [name])
    }
  } finally {
    client.release()
  }
}

/** Skips when another process is at it. */
async function onceAtATime(pool: pg.Pool, name: string, handle: () => Promise<void>) {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock(hashtext($1)) as mine', [name])
    if (rows[0]?.mine !== true) return
    try {
      await handle()
    } finally {
      await client.query('select pg_advisory_unlock(hashtext($1))', [name])
    }
  } finally {
    client.release()
  }
}
