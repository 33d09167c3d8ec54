import { sql } from 'kysely'
import { createTransport } from 'nodemailer'
import type { Db } from '../db/open.server.ts'
import type { Jobs } from './jobs.server.ts'

export type Email = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The job is deleted once the email is sent, so that nothing of it stays in the database. */
  readonly isLast?: boolean
}

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
  /** Queues an email; with a transaction it is sent if and only if that commits. Sending is retried while the server is down. */
  send(email: Email, tx?: Db): Promise<void>
  isUp(): Promise<boolean>
  /** Lists the emails to an address that the job tables still hold. */
  listStored(db: Db, address: string): Promise<StoredEmail[]>
  /** Deletes the emails to an address; those that wait are never sent. */
  forget(tx: Db, address: string): Promise<void>
  close(): void
}

export async function createMail(options: { smtpUrl: string; from: string; jobs: Jobs }): Promise<Mail> {
  const transport = createTransport(options.smtpUrl, {
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 15_000,
  } as object)
  await options.jobs.work<Email>(
    'mail',
    { retryLimit: 8, retryDelay: 2, retryBackoff: true },
    async (email, forget) => {
      const { to, subject, text, html } = email
      // As an object: nodemailer parses a string as a list of addresses, and 'a,b@c.de' would go to b@c.de.
      await transport.sendMail({ to: { name: '', address: to }, subject, text, html, from: options.from })
      if (email.isLast === true) await forget()
    },
  )
  return {
    send: async (email, tx) => {
      if (!email.to.endsWith(`@${NOBODY_HOST}`)) await options.jobs.send('mail', email, tx)
    },
    async listStored(db, address) {
      const { rows } = await sql<StoredEmail>`
        select data->>'to' as to, data->>'subject' as subject, state::text as state, created_on as created_at
        from (select name, data, state::text, created_on from jobs.job
          union all select name, data, state::text, created_on from jobs.archive) as stored
        where name = 'mail' and lower(data->>'to') = ${address.toLowerCase()} order by created_on`.execute(db)
      return rows
    },
    async forget(tx, address) {
      await sql`delete from jobs.job where name = 'mail' and lower(data->>'to') = ${address.toLowerCase()}`.execute(tx)
      await sql`delete from jobs.archive where name = 'mail' and lower(data->>'to') = ${address.toLowerCase()}`.execute(
        tx,
      )
    },
    isUp: () =>
      transport.verify().then(
        () => true,
        () => false,
      ),
    close: () => transport.close(),
  }
}
