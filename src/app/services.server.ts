import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbedded } from '../db/embedded.server.ts'
import { migrate } from '../db/migrate.server.ts'
import { openDatabase, type OpenDatabase } from '../db/open.server.ts'
import { connectPatiently } from '../db/patient-connection.server.ts'
import { createGoogleSignIn, type GoogleSignIn } from '../features/accounts/gateway.server.ts'
import { createPaymentGateway, type PaymentGateway } from '../features/checkout/payment/gateway.server.ts'
import { systemClock, type Clock } from '../platform/clock.server.ts'
import type { Env } from '../platform/env.server.ts'
import { createJobs, type Jobs } from '../platform/jobs.server.ts'
import type { Log } from '../platform/log.server.ts'
import { createMail, type Mail } from '../platform/mail.server.ts'
import { startStandIns, type StandIns } from './stand-ins.server.ts'
import type { SiteFacts } from './schema.ts'

/** Everything of a process that is opened once and closed in the end. */
export type Services = {
  readonly env: Env
  readonly log: Log
  readonly clock: Clock
  readonly database: OpenDatabase
  readonly jobs: Jobs
  readonly mail: Mail
  readonly payment: PaymentGateway
  readonly google: GoogleSignIn
  readonly secret: string
  readonly standIns: StandIns
  readonly site: SiteFacts
  close(): Promise<void>
}

export async function openServices(env: Env, log: Log, clock: Clock = systemClock): Promise<Services> {
  const closers: (() => Promise<void> | void)[] = []
  const close = async () => {
    for (const closer of closers.toReversed()) await closer()
  }
  try {
    const url = env.databaseUrl ?? (await openEmbedded(env, log, closers))
    const first = await connectPatiently(url, {
      onAway: (error) => log.warn({ err: error }, 'the database is away: it is waited for, for a minute at most'),
    })
    await first.end()
    const database = openDatabase(url, { onError: (error) => log.warn({ err: error }, 'a database connection broke') })
    closers.push(() => database.close())
    const ran = await migrate(database.pool)
    if (ran.length > 0) log.info({ migrations: ran }, 'the database was brought up to date')
    const secret = env.authSecret ?? (await keptSecret(env.dataDir))
    const standIns = await startStandIns({ env, log, clock, pool: database.pool, secret })
    closers.push(() => standIns.close())
    const jobs = await createJobs(database.pool, log)
    closers.push(() => jobs.stop())
    const mail = await createMail({ ...standIns.mail, jobs })
    closers.push(() => mail.close())
    const payment = createPaymentGateway(standIns.payment)
    const google = createGoogleSignIn({ db: database.db, appUrl: env.appUrl, secret, client: standIns.google, log })
    const site: SiteFacts = {
      appUrl: env.appUrl,
      brandName: env.brandName,
      brandShort: env.brandShort,
      standIns: [...standIns.names],
    }
    return { env, log, clock, database, jobs, mail, payment, google, secret, standIns, site, close }
  } catch (error) {
    await close()
    throw error
  }
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

/** The demo's secret: made once, readable by its owner only. Two processes that start at once agree on one. */
async function keptSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, 'auth-secret')
  try {
    await writeFile(path, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(path, 'utf8')).trim()
}
