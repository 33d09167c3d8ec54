import { setTimeout as wait } from 'node:timers/promises'
import { CompiledQuery, sql, type RawBuilder } from 'kysely'
import type pg from 'pg'
import PgBoss from 'pg-boss'
import type { Db } from '../db/open.server.ts'
import type { Log } from './log.server.ts'
import type { Figure } from './metrics.server.ts'
import { LOOK_SECONDS, Lookout, SILENT_SECONDS, startBeat } from './silent-work.server.ts'
import { inSpan, type SpanStart, type Tracing } from './telemetry/tracing.server.ts'

type JobsOptions = {
  readonly direct?: pg.Pool
  readonly isClockRight?: () => boolean
  readonly tracing?: Tracing | null
}
type JobOptions = { readonly retryLimit?: number; readonly retryDelay?: number; readonly retryBackoff?: boolean }

/** What the database holds of a job that is being handled. */
type StoredJob<Data> = {
  /** Deletes it at once. */
  forget(): Promise<void>
  /** Keeps only these fields of its data. A retry gets no others. */
  keepOnly(fields: readonly (keyof Data & string)[]): Promise<void>
}

/** Background work. Jobs lie in the same database, so a job commits with its cause; any free process runs it once. */
export type Jobs = {
  /** Registers the handler of a queue. Finished jobs stay in the database for some days. */
  work<Data extends object>(
    name: string,
    options: JobOptions,
    handle: (data: Data, stored: StoredJob<Data>) => Promise<void>,
  ): Promise<void>
  /** Runs every `seconds`, in one process at a time. */
  every(name: string, seconds: number, handle: () => Promise<void>): void
  send(name: string, data: object, tx?: Db): Promise<void>
  /** Queues a job within a larger statement, if `cause`, a part of it, has a row. Call `wake` after the commit. */
  insertionOf(name: string, data: object, cause: RawBuilder<unknown>): Promise<RawBuilder<unknown>>
  /** Lets this process look for jobs of the queue at once. */
  wake(name: string): void
  figures(): Figure[]
  stop(): Promise<void>
}

/** Enough for a slow mail server, and less than a service manager waits before it kills the process (docs/operations.md). */
const STOP_MS = 20_000
/** How long to wait before the result of a job is written again after a failure. */
const WRITE_AGAIN_MS = 1_000
/** Creating queues takes turns under this lock: two processes at once would deadlock in the database. */
const QUEUES_LOCK = 'make-queues'

/**
 * Locks of sessions are taken on `direct`, which leads to PostgreSQL itself; everything else goes through `pool`. While the clock is
 * wrong, regular jobs rest: they would end attempts and send emails too early.
 */
export async function createJobs(
  pool: pg.Pool,
  log: Log,
  { direct = pool, isClockRight = () => true, tracing = null }: JobsOptions = {},
): Promise<Jobs> {
  const database = createBossDb(pool, log)
  const boss = new PgBoss({ db: database, schema: 'jobs' })
  boss.on('error', (error) => log.error({ err: error }, 'jobs'))
  await boss.start()
  await makeActiveIndex(direct)
  const taking = takeOverLost(boss, pool, log)
  const workers = new Map<string, string>()
  const wake = (name: string) => {
    const worker = workers.get(name)
    if (worker !== undefined) boss.notifyWorker(worker)
  }
  const counts: Counts = { done: 0, failed: 0 }
  const regular = createRegularJobs({ direct, log, counts, isClockRight, tracing })
  return {
    async work(name, options, handle) {
      await withLock(direct, QUEUES_LOCK, async () => {
        await boss.createQueue(name, { name, policy: 'standard', ...options })
        await boss.updateQueue(name, { name, policy: 'standard', ...options })
      })
      const id = await boss.work<object>(name, { pollingIntervalSeconds: 0.5, batchSize: 1 }, async (jobs) => {
        for (const job of jobs) {
          database.begin(job.id)
          try {
            const stored = { name, id: job.id }
            await inSpan(tracing, spanOf(name), () => handle(job.data as never, storedJob(boss, database, stored)))
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
    every: regular.every,
    async send(name, data, tx) {
      await boss.send(name, data, tx === undefined ? {} : { db: asBossDb(tx) })
      wake(name)
    },
    insertionOf: (name, data, cause) => insertionOf(boss, name, data, cause),
    wake,
    figures: () => [figureOf(counts)],
    async stop() {
      await regular.stop()
      taking.stop()
      database.stopRetrying()
      // Jobs under way still need the database to store their result.
      await boss.stop({ graceful: true, wait: true, timeout: STOP_MS, close: false })
      await database.close()
    },
  }
}

/** A job begins a trace of its own: it runs whenever, wherever, and maybe again. */
const spanOf = (name: string): SpanStart => ({ name: `job ${name}`, kind: 'consumer', isRoot: true })

type Counts = { done: number; failed: number }

function figureOf(counts: Counts): Figure {
  return {
    name: 'altocert_jobs_total',
    kind: 'counter',
    help: 'Jobs and regular work that this process has run.',
    values: Object.entries(counts).map(([outcome, count]) => [{ outcome }, count] as const),
  }
}

function createRegularJobs({
  direct,
  log,
  counts,
  isClockRight,
  tracing,
}: {
  direct: pg.Pool
  log: Log
  counts: Counts
  isClockRight: () => boolean
  tracing: Tracing | null
}) {
  const timers: NodeJS.Timeout[] = []
  const running = new Set<Promise<void>>()

  async function run(name: string, handle: () => Promise<void>) {
    try {
      await withLockIfFree(direct, name, () => inSpan(tracing, spanOf(name), handle))
      counts.done += 1
    } catch (error) {
      counts.failed += 1
      log.error({ err: error, job: name }, 'regular job failed')
    }
  }

  return {
    every(name: string, seconds: number, handle: () => Promise<void>) {
      // A slow round delays the next one: rounds that pile up would use all connections of a slow database.
      let isRunning = false
      timers.push(
        setInterval(() => {
          if (isRunning || !isClockRight()) return
          isRunning = true
          const round = run(name, handle).finally(() => {
            isRunning = false
            running.delete(round)
          })
          running.add(round)
        }, seconds * 1000),
      )
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.allSettled(running)
    },
  }
}

/** The database as pg-boss uses it. */
function createBossDb(pool: pg.Pool, log: Log) {
  const underWay = new Set<Promise<unknown>>()
  /** Jobs of this process, until their results are stored. */
  const own = new Set<string>()
  let isStopping = false
  let isClosed = false
  const query = (text: string, values?: unknown[]): Promise<{ rows: unknown[] }> => {
    // The timers of pg-boss go on after it has stopped: the pool may be gone, and nothing reads the result.
    if (isClosed) return new Promise<never>(() => undefined)
    const result = pool.query(text, values)
    underWay.add(result)
    const forget = () => void underWay.delete(result)
    result.then(forget, forget)
    return result
  }
  /** Retries until it succeeds: a sent email is not sent twice. */
  async function store(text: string, values?: unknown[]) {
    for (;;) {
      try {
        return await query(text, values)
      } catch (error) {
        log.warn({ err: error }, 'the result of a job could not be stored')
        if (isStopping) return { rows: [{ count: 0 }] }
        await wait(WRITE_AGAIN_MS)
      }
    }
  }
  // Says that this process is alive and at work on its jobs.
  const beat = startBeat(async () => {
    if (own.size > 0)
      await query("update jobs.job set started_on = now() where state = 'active' and id = any($1)", [[...own]])
  })
  return {
    store,
    // pg-boss does not await the query that stores a job's result (its values are a queue, then a list of jobs). Its failure would
    // be an unhandled rejection and end the process.
    executeSql: (text: string, values?: unknown[]) =>
      Array.isArray(values?.[1])
        ? store(text, values).finally(() => {
            for (const id of values[1] as string[]) own.delete(id)
          })
        : query(text, values),
    begin: (id: string) => void own.add(id),
    stopRetrying() {
      isStopping = true
    },
    async close() {
      beat.stop()
      isClosed = true
      await Promise.allSettled(underWay)
    },
  }
}

/** Without it each look for jobs under way would read those of all days. */
async function makeActiveIndex(direct: pg.Pool): Promise<void> {
  await withLock(direct, QUEUES_LOCK, async () => {
    const { rows } = await direct.query<{ isThere: boolean }>(
      `select to_regclass('jobs.job_active') is not null as "isThere"`,
    )
    if (rows[0]?.isThere !== true) await direct.query("create index job_active on jobs.job (id) where state = 'active'")
  })
}

/** Hands jobs whose process died to the next one that is free, which pg-boss itself does after 15 minutes only. */
function takeOverLost(boss: PgBoss, pool: pg.Pool, log: Log): { stop(): void } {
  const lookout = new Lookout()
  async function look() {
    const { rows } = await pool.query<{ id: string; name: string; heardAt: Date }>(
      `select id, name, started_on as "heardAt" from jobs.job
       where state = 'active' and started_on < now() - $1 * interval '1 second'`,
      [SILENT_SECONDS],
    )
    for (const id of lookout.findLost(rows)) {
      const { name } = rows.find((row) => row.id === id)!
      log.warn({ job: name, id }, 'the process of a job died, and another one takes it over')
      await boss.fail(name, id, { message: 'its process died' })
    }
  }
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_SECONDS * 1000)
  return { stop: () => clearInterval(timer) }
}

function storedJob<Data extends object>(
  boss: PgBoss,
  database: ReturnType<typeof createBossDb>,
  { name, id }: { readonly name: string; readonly id: string },
): StoredJob<Data> {
  return {
    forget: () => boss.deleteJob(name, id),
    keepOnly: (fields) => keepFields(database, { name, id, fields }),
  }
}

async function keepFields(
  database: ReturnType<typeof createBossDb>,
  { name, id, fields }: { name: string; id: string; fields: readonly string[] },
): Promise<void> {
  await database.store(
    `update jobs.job set data =
       (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(data) where key = any($3))
     where name = $1 and id = $2`,
    [name, id, fields],
  )
}

function asBossDb(tx: Db): PgBoss.Db {
  return {
    executeSql: async (text, values) => ({ rows: (await tx.executeQuery(CompiledQuery.raw(text, values ?? []))).rows }),
  }
}

/** The statement with which pg-boss would queue the job. It joins the queue by its name, which is null without a cause. */
async function insertionOf(boss: PgBoss, name: string, data: object, cause: RawBuilder<unknown>) {
  let statement = sql``
  const executeSql = async (text: string, values: unknown[] = []) => {
    const parts = text.split(/\$(\d+)/).map((part, index) => {
      if (index % 2 === 0) return sql.raw(part)
      const value = values[Number(part) - 1] ?? null
      return value === name ? sql`(select ${name} from ${cause})` : sql`${value}`
    })
    statement = sql.join(parts, sql``)
    return { rows: [] }
  }
  await boss.send(name, data, { db: { executeSql } })
  return statement
}

/** Waits while another process holds the lock. */
async function withLock(direct: pg.Pool, name: string, handle: () => Promise<void>) {
  const client = await direct.connect()
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

/** Does nothing while another process holds the lock. */
async function withLockIfFree(direct: pg.Pool, name: string, handle: () => Promise<void>) {
  const client = await direct.connect()
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock(hashtext($1)) as locked', [
      name,
    ])
    if (rows[0]?.locked !== true) return
    try {
      await handle()
    } finally {
      await client.query('select pg_advisory_unlock(hashtext($1))', [name])
    }
  } finally {
    client.release()
  }
}
