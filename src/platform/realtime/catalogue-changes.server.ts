import { sql } from 'kysely'
import pg from 'pg'
import { z } from 'zod'
import type { Db } from '../../db/open.server.ts'
import type { UserId } from '../../lib/ids.ts'
import type { Log } from '../log.server.ts'
import { CatalogueChange, OwnChange, type NumberedChange } from './realtime.schema.ts'

const RECONNECT_MS = 500
/** How often changes are read without a notification: finds connections that only seem alive. */
const POLL_MS = 1000
/** Without a successful read for this long, caches count as outdated. */
const UP_TO_DATE_MS = 2500
const CHANGES_PER_READ = 500
/** How long the database may take to confirm the end of the connection. */
const END_MS = 1000
/**
 * Notifies of a user whose access periods, sessions or role changed. It has no table: after a lost connection every cache is dropped and
 * every stream's user is checked instead.
 */
const USER_CHANNEL = 'user_changes'
/** Notifies of a change for the streams of one user. It has no table: a page that misses one finds out with its next request. */
const OWN_CHANNEL = 'own_changes'
const OwnNotification = OwnChange.extend({ user_id: z.string() })
/** How many of the latest changes a process holds, for listeners that reconnect. */
export const REMEMBERED_CHANGES = 1000
/** How long changes stay in the database, for processes that were disconnected. */
const REMEMBERED_DAYS = 7

type ChangeListener = {
  /** The catalogue may have changed: everything read before may be outdated. */
  onPossibleChange(): void
  /** Changes in order, each once. The first call brings the latest ones from before the start. */
  onChanges(changes: readonly NumberedChange[]): void
  /** The newest changes were lost, in a failover perhaps: these are the latest ones now, and anything may have changed. */
  onOtherHistory(latest: readonly NumberedChange[]): void
  /** The access, the sessions or the role of this user may have changed. */
  onUserChange(userId: UserId): void
  onOwnChange(userId: UserId, change: OwnChange): void
  /** The connection was opened, again perhaps: changes of any user may have been missed. */
  onMissedUserChanges(): void
}

export type Changes = {
  /** Whether changes were read successfully within the last 2.5 seconds. */
  isUp(): boolean
  /** Whether the connection has lasted since then, a time of `performance.now()`. */
  wasUpSince(time: number): boolean
  /** The number of the newest change; null while a newer one may be unread. */
  newest(): number | null
  stop(): Promise<void>
}

/**
 * Receives every committed change of every process. A notification of the catalogue only triggers a read of the table of changes.
 * Its numbers are in commit order, so nothing is missed while the connection is down (decision 0011).
 */
export async function followChanges(url: string, listener: ChangeListener, log: Log): Promise<Changes> {
  const stopping = new AbortController()
  const reader = createReader(listener, stopping.signal)
  let timer: NodeJS.Timeout | undefined
  let lostAt = -Infinity
  const connection = createConnection(url, log, {
    async onOpen(client) {
      await reader.readNew(client)
      listener.onPossibleChange()
      listener.onMissedUserChanges()
    },
    onLost() {
      lostAt = performance.now()
      reader.expectChange()
      schedule(RECONNECT_MS)
    },
    onNotification({ channel, payload }) {
      if (channel === USER_CHANNEL) return listener.onUserChange(payload as UserId)
      if (channel === OWN_CHANNEL) return passOwnChange(payload, listener, log)
      reader.expectChange()
      void poll()
    },
  })

  async function poll() {
    clearTimeout(timer)
    if (stopping.signal.aborted) return
    const client = connection.client()
    try {
      if (client === null) await connection.open()
      else await reader.readNew(client)
      schedule(POLL_MS)
    } catch (error) {
      if (stopping.signal.aborted) return
      log.warn({ err: error }, 'the database is down; reading changes will be retried')
      // A server that has gone without a word would never confirm the end, so the connection is cut. `onLost` schedules a new one.
      connection.cut()
      schedule(RECONNECT_MS)
    }
  }

  function schedule(ms: number) {
    clearTimeout(timer)
    if (!stopping.signal.aborted) timer = setTimeout(() => void poll(), ms)
  }

  await connection.open()
  schedule(POLL_MS)
  return {
    isUp: () => connection.client() !== null && reader.isUpToDate(),
    wasUpSince: (time) => connection.client() !== null && lostAt < time,
    newest: () => (reader.isUpToDate() ? reader.newest() : null),
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await connection.close()
    },
  }
}

/** One connection at a time, which listens to every channel. */
function createConnection(
  url: string,
  log: Log,
  events: {
    onOpen(client: pg.Client): Promise<void>
    onLost(): void
    onNotification(notification: pg.Notification): void
  },
) {
  let client: pg.Client | null = null
  return {
    client: () => client,
    async open() {
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
        events.onLost()
      })
      next.on('notification', events.onNotification)
      try {
        await next.connect()
        await next.query(`listen catalogue_changes; listen ${USER_CHANNEL}; listen ${OWN_CHANNEL}`)
        client = next
        await events.onOpen(next)
      } catch (error) {
        client = null
        next.connection.stream.destroy()
        throw error
      }
    },
    cut: () => client?.connection.stream.destroy(),
    async close() {
      const closing = client
      if (closing === null) return
      // A server that has gone without a word would never confirm the end.
      const limit = setTimeout(() => closing.connection.stream.destroy(), END_MS)
      await closing.end()
      clearTimeout(limit)
    },
  }
}

/** Reads each change once, over any number of connections. */
function createReader(listener: ChangeListener, stopping: AbortSignal) {
  let last: number | null = null
  let isReading = false
  let isReadDue = false
  let isChangeExpected = true
  let readAt = -Infinity
  return {
    /** A call during a read makes it read once more: the change that caused the call may be too late for the first read. */
    async readNew(client: pg.Client) {
      isReadDue = true
      if (isReading) return
      isReading = true
      try {
        while (isReadDue) {
          isReadDue = false
          if (stopping.aborted) return
          const startedAt = performance.now()
          const later = last === null ? null : await readAfter(client, last)
          const changes = later ?? (await readLatest(client))
          readAt = startedAt
          const isOtherHistory = later === null && last !== null
          last = changes.at(-1)?.number ?? (later === null ? 0 : last)
          if (isOtherHistory) listener.onOtherHistory(changes)
          else if (changes.length > 0) listener.onChanges(changes)
          if (later !== null && later.length >= CHANGES_PER_READ) isReadDue = true
        }
        isChangeExpected = false
      } finally {
        isReading = false
      }
    },
    newest: () => (isChangeExpected ? null : last),
    /** A change may have been made that was not read yet. */
    expectChange() {
      isChangeExpected = true
      listener.onPossibleChange()
    },
    isUpToDate: () => performance.now() - readAt < UP_TO_DATE_MS,
  }
}

function passOwnChange(payload: string | undefined, listener: ChangeListener, log: Log): void {
  const own = readOwnNotification(payload)
  if (own === null) return log.warn({ payload }, 'a notification was not understood')
  const { user_id: userId, ...change } = own
  listener.onOwnChange(userId as UserId, change)
}

/** Null for a message from a process of another version or from another program. */
function readOwnNotification(payload: string | undefined): z.infer<typeof OwnNotification> | null {
  try {
    return OwnNotification.parse(JSON.parse(payload ?? ''))
  } catch {
    return null
  }
}

/** Tells the open pages of a user, in every process and when the transaction has committed, that a row of theirs changed. */
export async function notifyOwnChange(tx: Db, userId: UserId, change: OwnChange): Promise<void> {
  const payload = JSON.stringify({ user_id: userId, ...change } satisfies z.infer<typeof OwnNotification>)
  await sql`select pg_notify(${OWN_CHANNEL}, ${payload})`.execute(tx)
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

/** The latest changes, oldest first. */
async function readLatest(client: pg.Client): Promise<NumberedChange[]> {
  return (await readChanges(client, 'order by number desc limit $1', [REMEMBERED_CHANGES])).toReversed()
}

/**
 * The changes after `last`, oldest first; null when `last` itself is gone, although the newest one is never deleted: the database is
 * one that had not received it.
 */
async function readAfter(client: pg.Client, last: number): Promise<NumberedChange[] | null> {
  const values = [last, CHANGES_PER_READ + 1]
  const changes = await readChanges(client, 'where number >= $1 order by number limit $2', values)
  if (last === 0) return changes
  return changes[0]?.number === last ? changes.slice(1) : null
}

async function readChanges(client: pg.Client, which: string, values: number[]): Promise<NumberedChange[]> {
  const columns = 'number, changed_table, op, row_id, course_id, row_version, is_public'
  const { rows } = await client.query(`select ${columns} from catalogue_changes ${which}`, values)
  return z.array(Row).parse(rows)
}
