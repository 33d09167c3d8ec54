import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { startEmbedded } from '../../db/embedded/embedded.server.ts'
import { migrate } from '../../db/migrate.server.ts'
import { addressOf, openDatabase, type DatabaseAddress, type OpenDatabase } from '../../db/open.server.ts'
import { openReplica, type Replica } from '../../db/replica.server.ts'
import { prepareSessions } from '../../db/sessions.server.ts'
import { withMigrationLock } from '../../db/migration-lock.server.ts'
import { createGoogleSignIn, type GoogleSignIn } from '../../features/accounts/google/google-gateway.server.ts'
import { createPush, type Push } from '../../features/study/push/push-commands.server.ts'
import { senderOf } from '../../features/study/push/push-message-gateway.server.ts'
import { createPaymentGateway, type PaymentGateway } from '../../features/checkout/payment/stripe-gateway.server.ts'
import { tracedPayment } from './traced-payment.server.ts'
import { checkClock, type CheckedClock } from '../../platform/clock-check.server.ts'
import { closeAll } from '../../platform/close-all.server.ts'
import { systemClock, type Clock } from '../../platform/clock.server.ts'
import { listUnencrypted, type Env } from '../../platform/env.server.ts'
import { createJobs, type Jobs } from '../../platform/jobs.server.ts'
import { createRateLimits, type RateLimits } from '../../platform/limits/rate-limits-commands.server.ts'
import type { Log } from '../../platform/log.server.ts'
import { createMail, type Mail } from '../../platform/mail.server.ts'
import { trustedProxies } from '../../platform/http/network-address.server.ts'
import { projectRoot } from '../../platform/project-root.server.ts'
import { tracePool } from '../../platform/telemetry/traced-pool.server.ts'
import type { Telemetry, Tracing } from '../../platform/telemetry/tracing.server.ts'
import { contactOf } from './contact.server.ts'
import { seed, type Seeded } from './seed.server.ts'
import { startEmulators, type Emulators } from './emulators.server.ts'
import type { SiteFacts } from '../app.schema.ts'

/** The resources of a process: opened at its start, closed at its end. */
export type Services = {
  readonly env: Env
  readonly log: Log
  readonly clock: CheckedClock
  readonly database: OpenDatabase
  /** Null without DATABASE_REPLICA_URL. */
  readonly replica: Replica | null
  readonly jobs: Jobs
  readonly limits: RateLimits
  readonly mail: Mail
  readonly push: Push
  readonly payment: PaymentGateway
  readonly google: GoogleSignIn
  readonly secret: string
  readonly emulators: Emulators
  readonly site: SiteFacts
  /** Null where OpenTelemetry is off. */
  readonly telemetry: Telemetry | null
  /** The demo data that this start added to an empty database. */
  readonly seeded: Seeded
  close(): Promise<void>
}

/**
 * Migrates the database, opens all services, and with `isSeeded` adds the demo data to an empty database. Processes that
 * start together take turns, so only one migrates and seeds.
 */
export async function openServices(
  env: Env,
  log: Log,
  { isSeeded = false, testClock }: { isSeeded?: boolean; testClock?: Clock } = {},
): Promise<Services> {
  const closers: (() => Promise<void> | void)[] = []
  const close = () => closeAll(closers.toReversed(), log)
  for (const variable of listUnencrypted(env))
    log.warn({ variable }, 'a connection to another machine is not encrypted')
  try {
    const telemetry = await openTelemetry(env, log)
    // Last, so that the spans of the end are sent too.
    closers.push(async () => telemetry?.close())
    const tracing = telemetry?.tracing ?? null
    const address = env.database ?? addressOf(await openEmbedded(env, log, closers))
    return await withMigrationLock(address.directUrl, turnLog(log), async () => {
      const traced = (pool: pg.Pool) => (tracing === null ? undefined : tracePool(pool, tracing))
      const database = openTracedDatabase(address, { env, log, traced })
      closers.push(() => database.close())
      const ran = await migrate(database.direct)
      if (ran.length > 0) log.info({ migrations: ran }, 'migrated the database')
      await prepareSessions(database)
      const replica = env.replicaUrl === null ? null : await openReplica(env.replicaUrl, database, log, traced)
      closers.push(async () => replica?.close())
      const clock = await openClock(database, log, testClock)
      closers.push(() => clock.stop())
      const secret = env.authSecret ?? (await storedSecret(env.dataDir))
      const emulators = await startEmulators({ env, log, clock, pool: database.pool, secret })
      closers.push(() => emulators.close())
      const jobs = await createJobs(database.pool, log, {
        direct: database.direct,
        isClockRight: () => clock.isRight(),
        tracing,
      })
      closers.push(() => jobs.stop())
      const limits = createRateLimits({ db: database.db, clock, numbers: env.limits })
      const mail = await createMail({ ...emulators.mail, db: database.db, jobs, limits, tracing })
      closers.push(() => mail.close())
      const push = await createPush({
        ...pushOptions(env, { secret, mail: emulators.mail }),
        db: database.db,
        jobs,
        clock,
        log,
      })
      const payment = openPayment(emulators, tracing)
      const google = createGoogleSignIn({ db: database.db, appUrl: env.appUrl, secret, client: emulators.google, log })
      const site = siteFacts(env, emulators)
      const seeded = isSeeded ? await seed({ db: database.db, env, clock, log }) : { courses: 0, admin: null }
      const gateways = { mail, push, payment, google, telemetry }
      return { env, log, clock, database, replica, jobs, limits, ...gateways, secret, emulators, site, seeded, close }
    })
  } catch (error) {
    await close()
    throw error
  }
}

/** OpenTelemetry is loaded only where it is on. */
async function openTelemetry({ telemetry, trustedProxies: proxies }: Env, log: Log): Promise<Telemetry | null> {
  if (telemetry === null) return null
  const { startTelemetry } = await import('../../platform/telemetry/open-telemetry.server.ts')
  const { version } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as { version: string }
  return startTelemetry(telemetry, { log, version, trusted: trustedProxies(proxies) })
}

function openTracedDatabase(
  address: DatabaseAddress,
  { env, log, traced }: { env: Env; log: Log; traced: (pool: pg.Pool) => void },
): OpenDatabase {
  const database = openDatabase(address, {
    connections: connectionsOf(env),
    onError: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
  traced(database.pool)
  if (database.direct !== database.pool) traced(database.direct)
  return database
}

function openPayment({ payment }: Emulators, tracing: Tracing | null): PaymentGateway {
  if (tracing === null) return createPaymentGateway(payment)
  return tracedPayment(createPaymentGateway({ ...payment, callHeaders: () => tracing.outgoingHeaders() }), tracing)
}

const CONNECTIONS = 16
/** What the embedded server has for the pools of all workers: 100, less those that each needs beside its pool. */
const EMBEDDED_CONNECTIONS = 80

function connectionsOf({ workers, database }: Env): number {
  return database === null ? Math.min(CONNECTIONS, Math.floor(EMBEDDED_CONNECTIONS / workers)) : CONNECTIONS
}

/** A clock that tests move is right by definition. */
async function openClock({ pool }: OpenDatabase, log: Log, testClock: Clock | undefined) {
  if (testClock === undefined) return checkClock(systemClock, pool, log)
  return { now: () => testClock.now(), isRight: () => true, stop: () => undefined }
}

const turnLog = (log: Log) => ({
  onUnavailable: (error: unknown) => log.warn({ err: error }, 'the database is unreachable; waiting up to a minute'),
  onWait: () => log.info({}, 'waiting for another process that prepares the database'),
})

const siteFacts = ({ appUrl, brandName, brandShort }: Env, { names }: Emulators): SiteFacts => ({
  appUrl,
  brandName,
  brandShort,
  emulators: [...names],
})

function pushOptions(env: Env, { secret, mail }: { readonly secret: string; readonly mail: Emulators['mail'] }) {
  const sender = senderOf({ privateKey: env.vapidPrivateKey, secret, subject: contactOf(env, mail) })
  return { sender, rules: { isLocal: env.isLoopback } }
}

async function openEmbedded(env: Env, log: Log, closers: (() => Promise<void> | void)[]): Promise<string> {
  const server = await startEmbedded({
    dataDir: env.dataDir,
    log: (message, detail) => log.info(detail ?? {}, message),
    logError: (message, detail) => log.error(detail ?? {}, message),
  })
  closers.push(() => server.stop())
  return server.url
}

/** A disk that was full, or a loss of power, may have left less. */
const SHORTEST_SECRET = 32

/** The secret of an installation without AUTH_SECRET, in a file that only its owner can read. `wx` lets one process create it. */
async function storedSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, 'auth-secret')
  try {
    await writeFile(path, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const secret = (await readFile(path, 'utf8')).trim()
  if (secret.length < SHORTEST_SECRET)
    throw new Error(
      `The secret in ${path} is empty or cut off. Restore the file from a copy, or delete it: then everybody signs in again.`,
    )
  return secret
}
