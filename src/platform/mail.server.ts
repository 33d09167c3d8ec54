import { sql } from 'kysely'
import { createTransport } from 'nodemailer'
import type { Db } from '../db/open.server.ts'
import type { Jobs } from './jobs.server.ts'

export type Email = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Nothing is to be left of it once it is sent. */
  readonly isLast?: boolean
}

/** No mail goes there (RFC 2606): who deleted their account has an address at this host. */
export const NOBODY_HOST = 'deleted.invalid'

/** A letter of the last days, sent or not. Links in its text may still work, so the text is not shown. */
export type StoredEmail = {
  readonly to: string
  readonly subject: string
  readonly state: string
  readonly created_at: Date
}

export type Mail = {
  /** Queues a letter; with a transaction it is sent if and only if that commits. A server that is away is tried again. */
  send(email: Email, tx?: Db): Promise<void>
  isUp(): Promise<boolean>
  /** The letters to an address that are still known. */
  listStored(db: Db, address: string): Promise<StoredEmail[]>
  /** Letters to an address are forgotten, and those that wait are never sent. */
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
      // Taken as it stands: a text is read as a list, and 'a,b@c.de' would go to b@c.de.
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
          union all select name, data, state::text, created_on from jobs.archive) as kept
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
