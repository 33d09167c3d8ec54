import { sql, type RawBuilder } from 'kysely'
import { createTransport } from 'nodemailer'
import type { Db } from '../db/open.server.ts'
import { needsTls } from './env.server.ts'
import type { Jobs } from './jobs.server.ts'
import { inSpan, type Tracing } from './telemetry/tracing.server.ts'
import type { RateLimits } from './limits/rate-limits-commands.server.ts'

export type Email = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Ends emails of this kind when it is posted to, without a session (RFC 8058). */
  readonly unsubscribeUrl?: string
  /** Strangers can request this email for an address, so only a few of its kind are sent within an hour. */
  readonly limitedAs?: 'verification' | 'reset' | 'deletion' | 'receipt' | 'address'
  /** The job is deleted once the email is sent, so that nothing of it stays in the database. */
  readonly isLast?: boolean
}

/** The body is cleared once the email is sent. */
type StoredBody = Omit<Email, 'text' | 'html'> & Partial<Pick<Email, 'text' | 'html'>>

/** The host in the addresses of deleted accounts. Nothing is sent there (RFC 2606 reserves .invalid). */
export const NOBODY_HOST = 'deleted.invalid'

/** An email of the last days, sent or waiting. Without its text, because links in it may still work. */
type StoredEmail = {
  readonly to: string
  readonly subject: string
  readonly state: string
  readonly created_at: Date
}

export type Mail = {
  /**
   * Queues an email; with a transaction it is sent if and only if that commits. Sending is retried while the server is down. Returns false,
   * and sends nothing, when the address got enough of this kind within the hour.
   */
  send(email: Email, tx?: Db): Promise<boolean>
  /** Queues an email within a larger statement, if `cause` has a row. Null for a deleted account. Call `wake` after the commit. */
  insertionOf(email: Omit<Email, 'limitedAs'>, cause: RawBuilder<unknown>): Promise<RawBuilder<unknown> | null>
  wake(): void
  isUp(): Promise<boolean>
  /** Lists the emails to an address that the job tables still hold. */
  listStored(db: Db, address: string): Promise<StoredEmail[]>
  /** Redirects the emails of an address, above all those that wait, to the user's new address. */
  follow(tx: Db, change: { readonly from: string; readonly to: string }): Promise<void>
  /** Deletes the emails to an address; those that wait are never sent. */
  forget(tx: Db, address: string): Promise<void>
  close(): void
}

const JOB_TABLES = [sql.table('jobs.job'), sql.table('jobs.archive')]

type MailOptions = {
  smtpUrl: string
  from: string
  db: Db
  jobs: Jobs
  limits: RateLimits
  tracing?: Tracing | null
}

export async function createMail(options: MailOptions): Promise<Mail> {
  const transport = createTransport({
    url: options.smtpUrl,
    requireTLS: needsTls(options.smtpUrl),
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 15_000,
  })
  await options.jobs.work<StoredBody>(
    'mail',
    { retryLimit: 8, retryDelay: 2, retryBackoff: true },
    async (email, stored) => {
      const { to, subject, text, html, unsubscribeUrl } = email
      // Sent before, but the process ended before it could store that.
      if (text === undefined || html === undefined) return
      // As an object: nodemailer parses a string as a list of addresses, and 'a,b@c.de' would go to b@c.de.
      const headers = unsubscribeUrl === undefined ? {} : unsubscribeHeaders(unsubscribeUrl)
      const message = { to: { name: '', address: to }, subject, text, html, headers, from: options.from }
      await inSpan(options.tracing ?? null, { name: 'mail send', kind: 'client' }, () => transport.sendMail(message))
      // Links in it may still work: the text stays neither in the database nor in its backups.
      if (email.isLast === true) await stored.forget()
      else await stored.keepOnly(['to', 'subject'])
    },
  )
  await clearSentBodies(options.db)
  return {
    send: async (email, tx) => {
      const { limitedAs, ...sent } = email
      if (isNobody(email)) return true
      if (limitedAs !== undefined && !(await options.limits.claimEmail(tx ?? options.db, limitedAs, email.to)))
        return false
      await options.jobs.send('mail', sent, tx)
      return true
    },
    insertionOf: async (email, cause) => (isNobody(email) ? null : options.jobs.insertionOf('mail', email, cause)),
    wake: () => options.jobs.wake('mail'),
    ...storedEmails,
    isUp: () =>
      transport.verify().then(
        () => true,
        () => false,
      ),
    close: () => transport.close(),
  }
}

/** Lets mail programs show a button of their own (RFC 2369), which posts (RFC 8058): they must not open a link for that. */
function unsubscribeHeaders(url: string) {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** Emails in the tables of pg-boss: those that wait or were sent lately, and its archive. */
const storedEmails: Pick<Mail, 'listStored' | 'follow' | 'forget'> = {
  async listStored(db, address) {
    const { rows } = await sql<StoredEmail>`
      select data->>'to' as to, data->>'subject' as subject, state::text as state, created_on as created_at
      from (select name, data, state::text, created_on from jobs.job
        union all select name, data, state::text, created_on from jobs.archive) as stored
      where ${isTo(address)} order by created_on`.execute(db)
    return rows
  },
  async follow(tx, { from, to }) {
    for (const table of JOB_TABLES)
      await sql`update ${table} set data = jsonb_set(data, '{to}', to_jsonb(${to}::text)) where ${isTo(from)}`.execute(
        tx,
      )
  },
  async forget(tx, address) {
    for (const table of JOB_TABLES) await sql`delete from ${table} where ${isTo(address)}`.execute(tx)
  },
}

function isTo(address: string) {
  return sql`name = 'mail' and lower(data->>'to') = ${address.toLowerCase()}`
}

function isNobody({ to }: Pick<Email, 'to'>): boolean {
  return to.endsWith(`@${NOBODY_HOST}`)
}

/** Emails that a former version sent, or that an older backup holds as sent, still have their bodies. */
async function clearSentBodies(db: Db): Promise<void> {
  const isSent = sql`name = 'mail' and state = 'completed' and data ?| array['text', 'html']`
  for (const table of JOB_TABLES)
    await sql`update ${table} set data = data - 'text' - 'html' where ${isSent}`.execute(db)
}
