import pg from 'pg'
import { z } from 'zod'
import type { Db } from '../../db/open.server.ts'
import type { UserId } from '../../lib/ids.ts'
import type { Log } from '../log.server.ts'
import { CatalogueChange, type NumberedChange } from './realtime.schema.ts'

const RECONNECT_MS = 500
/** How often it is looked for changes without being called: a connection that only seems to be there is found out. */
const LOOK_MS = 1000
/** Without an answer for this long, what the process knows may be old. */
const UP_TO_DATE_MS = 2500
const CHANGES_AT_ONCE = 500
/** Says whose access periods changed. What is missed while the connection is away is made up for by doubting everything. */
const USER_CHANNEL = 'user_changes'
/** The changes that a process knows, for whoever was away for a while. */
export const REMEMBERED_CHANGES = 1000
/** For how long changes are kept for processes that were away. */
const REMEMBERED_DAYS = 7

export type ChangeListener = {
  /** Something may have changed, from now on: nothing that was read before is true for certain. */
  onDoubt(): void
  /** What has changed, in order, each once. The first call brings the newest of before. */
  onChanges(changes: readonly NumberedChange[]): void
  /** What this person owns may have changed. */
  onUserChange(userId: UserId): void
}

export type Changes = {
  /** Whether every change that was committed by a second ago has been heard. */
  isUp(): boolean
  stop(): Promise<void>
}

/**
 * Hears every committed change, whichever process made it. A notification of the catalogue is only a call to look into the table
 * of changes, whose numbers are in the order of the commits, so nothing is missed while a connection is away (decision 0011).
 */
export async function followChanges(url: string, listener: ChangeListener, log: Log): Promise<Changes> {
  let client: pg.Client | null = null
  let last: number | null = null
  let isLooking = false
  let isCalled = false
  let isStopped = false
  let lookedAt = -Infinity
  let timer: NodeJS.Timeout | undefined

  async function connect() {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      query_timeout: UP_TO_DATE_MS,
    })
    next.on('error', (error) => log.warn({ err: error }, 'the connection that hears changes broke'))
    next.on('end', () => {
      if (client !== next) return
      client = null
      listener.onDoubt()
      again(RECONNECT_MS)
    })
    next.on('notification', ({ channel, payload }) => {
      if (channel === USER_CHANNEL) return listener.onUserChange(payload as UserId)
      listener.onDoubt()
      void lookSafely()
    })
    try {
      await next.connect()
      await next.query(`listen catalogue_changes; listen ${USER_CHANNEL}`)
      client = next
      await look(next)
    } catch (error) {
      client = null
      void next.end().catch(() => undefined)
      throw error
    }
    listener.onDoubt()
  }

  /** Reads what is new. Called again meanwhile, it reads once more: the call may be of a change that came too late. */
  async function look(from: pg.Client) {
    isCalled = true
    if (isLooking) return
    isLooking = true
    try {
      while (isCalled) {
        isCalled = false
        if (isStopped) return
        const askedAt = performance.now()
        const changes = await readChanges(from, last)
        lookedAt = askedAt
        last = changes.at(-1)?.number ?? last ?? 0
        if (changes.length > 0) listener.onChanges(changes)
        if (changes.length === CHANGES_AT_ONCE) isCalled = true
      }
    } finally {
      isLooking = false
    }
  }

  async function lookSafely() {
    clearTimeout(timer)
    if (isStopped) return
    try {
      if (client === null) await connect()
      else await look(client)
      again(LOOK_MS)
    } catch (error) {
      if (isStopped) return
      log.warn({ err: error }, 'the database is away; changes are looked for again')
      // Its end is the beginning of a new one.
      void client?.end().catch(() => undefined)
      again(RECONNECT_MS)
    }
  }

  function again(ms: number) {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(() => void lookSafely(), ms)
  }

  await connect()
  again(LOOK_MS)
  return {
    isUp: () => client !== null && performance.now() - lookedAt < UP_TO_DATE_MS,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await client?.end()
    },
  }
}

/** Changes that nobody was away for long enough to need. The newest stays, so that its number is known. */
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

/** Those above `last`, oldest first; in the beginning the newest that there are. */
async function readChanges(client: pg.Client, last: number | null): Promise<NumberedChange[]> {
  const columns = 'number, changed_table, op, row_id, course_id, row_version, is_public'
  const { rows } =
    last === null
      ? await client.query(`select ${columns} from catalogue_changes order by number desc limit $1`, [
          REMEMBERED_CHANGES,
        ])
      : await client.query(`select ${columns} from catalogue_changes where number > $1 order by number limit $2`, [
          last,
          CHANGES_AT_ONCE,
        ])
  const changes = z.array(Row).parse(rows)
  return last === null ? changes.toReversed() : changes
}
