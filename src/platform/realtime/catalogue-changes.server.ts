import pg from 'pg'
import { z } from 'zod'
import type { Db } from '../../db/open.server.ts'
import type { UserId } from '../../lib/ids.ts'
import type { Log } from '../log.server.ts'
import { CatalogueChange, type NumberedChange } from './realtime.schema.ts'

const RECONNECT_MS = 500
/** How often changes are read without a notification: finds connections that only seem alive. */
const POLL_MS = 1000
/** Without a successful read for this long, caches count as outdated. */
const UP_TO_DATE_MS = 2500
const CHANGES_PER_READ = 500
/** Notifies of a user whose access periods changed. It has no table: after a lost connection every cache is dropped instead. */
const USER_CHANNEL = 'user_changes'
/** How many of the latest changes a process holds, for listeners that reconnect. */
export const REMEMBERED_CHANGES = 1000
/** How long changes stay in the database, for processes that were disconnected. */
const REMEMBERED_DAYS = 7

export type ChangeListener = {
  /** The catalogue may have changed: everything read before may be outdated. */
  onPossibleChange(): void
  /** Changes in order, each once. The first call brings the latest ones from before the start. */
  onChanges(changes: readonly NumberedChange[]): void
  /** The access of this user may have changed. */
  onUserChange(userId: UserId): void
}

export type Changes = {
  /** Whether changes were read successfully within the last 2.5 seconds. */
  isUp(): boolean
  stop(): Promise<void>
}

/**
 * Receives every committed change of every process. A notification of the catalogue only triggers a read of the table of changes.
 * Its numbers are in commit order, so nothing is missed while the connection is down (decision 0011).
 */
export async function followChanges(url: string, listener: ChangeListener, log: Log): Promise<Changes> {
  let client: pg.Client | null = null
  let last: number | null = null
  let isReading = false
  let isReadDue = false
  let isStopped = false
  let readAt = -Infinity
  let timer: NodeJS.Timeout | undefined

  async function connect() {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      query_timeout: UP_TO_DATE_MS,
    })
    next.on('error', (error) => log.warn({ err: error }, 'the connection for changes broke'))
    next.on('end', () => {
      if (client !== next) return
      client = null
      listener.onPossibleChange()
      schedule(RECONNECT_MS)
    })
    next.on('notification', ({ channel, payload }) => {
      if (channel === USER_CHANNEL) return listener.onUserChange(payload as UserId)
      listener.onPossibleChange()
      void poll()
    })
    try {
      await next.connect()
      await next.query(`listen catalogue_changes; listen ${USER_CHANNEL}`)
      client = next
      await readNewChanges(next)
    } catch (error) {
      client = null
      void next.end().catch(() => undefined)
      throw error
    }
    listener.onPossibleChange()
  }

  /** A call during a read makes it read once more: the change that caused the call may be too late for the first read. */
  async function readNewChanges(from: pg.Client) {
    isReadDue = true
    if (isReading) return
    isReading = true
    try {
      while (isReadDue) {
        isReadDue = false
        if (isStopped) return
        const startedAt = performance.now()
        const changes = await readChanges(from, last)
        readAt = startedAt
        last = changes.at(-1)?.number ?? last ?? 0
        if (changes.length > 0) listener.onChanges(changes)
        if (changes.length === CHANGES_PER_READ) isReadDue = true
      }
    } finally {
      isReading = false
    }
  }

  async function poll() {
    clearTimeout(timer)
    if (isStopped) return
    try {
      if (client === null) await connect()
      else await readNewChanges(client)
      schedule(POLL_MS)
    } catch (error) {
      if (isStopped) return
      log.warn({ err: error }, 'the database is down; reading changes will be retried')
      // The 'end' event of this client schedules a new connection.
      void client?.end().catch(() => undefined)
      schedule(RECONNECT_MS)
    }
  }

  function schedule(ms: number) {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(() => void poll(), ms)
  }

  await connect()
  schedule(POLL_MS)
  return {
    isUp: () => client !== null && performance.now() - readAt < UP_TO_DATE_MS,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await client?.end()
    },
  }
}

/** Deletes changes that no process can still need. The newest stays, so that its number is known. */
export async function deleteOldChanges(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('catalogue_changes')
    .where('changed_at', '<', new Date(now.getTime() - REMEMBERED_DAYS * 24 * 60 * 60 * 1000))
    .where('number', '<', (eb) => eb.selectFrom('catalogue_changes').select((max) => max.fn.max('number').as('newest')))
    .execute()
}

const Row = z
  .object({
    number: z.coerce.number(),
    changed_table: z.string(),
    op: z.string(),
    row_id: z.string(),
    course_id: z.string(),
    row_version: z.coerce.number(),
    is_public: z.boolean(),
  })
  .transform(({ number, changed_table, op, row_id, course_id, row_version, is_public }) => ({
    number,
    isPublic: is_public,
    change: CatalogueChange.parse({ table: changed_table, op, id: row_id, course_id, row_version }),
  }))

/** The changes after `last`, oldest first; with `last` null, the latest ones. */
async function readChanges(client: pg.Client, last: number | null): Promise<NumberedChange[]> {
  const columns = 'number, changed_table, op, row_id, course_id, row_version, is_public'
  const { rows } =
    last === null
      ? await client.query(`select ${columns} from catalogue_changes order by number desc limit $1`, [
          REMEMBERED_CHANGES,
        ])
      : await client.query(`select ${columns} from catalogue_changes where number > $1 order by number limit $2`, [
          last,
          CHANGES_PER_READ,
        ])
  const changes = z.array(Row).parse(rows)
  return last === null ? changes.toReversed() : changes
}
