import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { SESSION_SETTINGS, type OpenDatabase } from './open.server.ts'

/** How long a notification may take through the pooler and back. */
const NOTIFY_MS = 5_000
/** How long the end of a session may take. */
const END_MS = 5_000
const CHECK_CHANNEL = 'start_checks'

/** The database cannot be used as it is configured. The message is written for the operator who starts the app. */
export class DatabaseMisconfigured extends Error {}

/**
 * Behind a pooler, makes the settings of our sessions settings of the role. Then checks what everything relies on: that sessions have
 * these settings, and that a notification from `url` arrives at a listener on `directUrl`. Without it, caches would show old prices.
 * @throws DatabaseMisconfigured
 */
export async function prepareSessions(database: OpenDatabase): Promise<void> {
  if (database.address.url !== database.address.directUrl) await setRoleSettings(database.direct)
  await checkSettings(database.pool)
  await checkNotifications(database)
}

/**
 * Sessions that the pooler opened before have no such settings: they are ended where they are idle, which no client notices. A session
 * with a lock is idle and needed: the lock of migrations is held by one.
 */
async function setRoleSettings(direct: pg.Pool): Promise<void> {
  const { rows } = await direct.query<{ role: string; database: string; settings: string[] }>(
    `select quote_ident(current_user) as role, quote_ident(current_database()) as database,
       coalesce((select setconfig from pg_db_role_setting where setrole = current_user::regrole
         and setdatabase = (select oid from pg_database where datname = current_database())), '{}') as settings`,
  )
  const { role, database, settings } = rows[0]!
  const missing = Object.entries(SESSION_SETTINGS).filter(
    ([name, value]) => !settings.some((setting) => setting.toLowerCase() === `${name}=${value}`.toLowerCase()),
  )
  if (missing.length === 0) return
  for (const [name, value] of missing)
    await direct.query(`alter role ${role} in database ${database} set ${name} = '${value}'`)
  await direct.query(
    // Waits for their ends: the pooler would give them our next query.
    `select pg_terminate_backend(pid, ${END_MS}) from pg_stat_activity
     where usename = current_user and datname = current_database() and state = 'idle' and pid <> pg_backend_pid()
       and pid not in (select pid from pg_locks where locktype = 'advisory')`,
  )
}

async function checkSettings(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'select lower(name) as name, setting from pg_settings where lower(name) = any($1)',
    [Object.keys(SESSION_SETTINGS)],
  )
  const found = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  const isRight = (name: string, value: string) =>
    found[name] === value || (name === 'timezone' && isNameOfUtc(found[name] ?? ''))
  for (const [name, value] of Object.entries(SESSION_SETTINGS))
    if (!isRight(name, value))
      throw new DatabaseMisconfigured(
        `Sessions of DATABASE_URL have ${name} ${found[name]} instead of ${value}. Where it leads to a pooler, set DATABASE_DIRECT_URL to PostgreSQL itself, and close the pooler's older sessions (RECONNECT in PgBouncer), because the settings of a role hold for new ones.`,
      )
}

/** Debian's PostgreSQL calls it Etc/UTC, and a pooler may go on saying so to sessions for which the role says UTC. */
const isNameOfUtc = (zone: string) => /^(etc\/)?(utc|uct|universal|zulu)$/i.test(zone)

async function checkNotifications({ address, pool }: OpenDatabase): Promise<void> {
  const listener = new pg.Client({ connectionString: address.directUrl, connectionTimeoutMillis: NOTIFY_MS })
  listener.on('error', () => {})
  await listener.connect()
  try {
    const sent = randomUUID()
    const heard = new Promise<true>((resolve) => {
      listener.on('notification', ({ payload }) => {
        if (payload === sent) resolve(true)
      })
    })
    await listener.query(`listen ${CHECK_CHANNEL}`)
    await pool.query('select pg_notify($1, $2)', [CHECK_CHANNEL, sent])
    const timeout = new AbortController()
    const isHeard = await Promise.race([heard, wait(NOTIFY_MS, false, { signal: timeout.signal })])
    timeout.abort()
    if (!isHeard)
      throw new DatabaseMisconfigured(
        'A notification sent through DATABASE_URL did not arrive, so prices would stay outdated. Set DATABASE_DIRECT_URL to PostgreSQL itself, to the server and the database behind DATABASE_URL.',
      )
  } finally {
    void listener.end().catch(() => undefined)
  }
}
