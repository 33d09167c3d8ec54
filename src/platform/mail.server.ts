import { createTransport } from 'nodemailer'
import type { Db } from '../db/open.server.ts'
import type { Jobs } from './jobs.server.ts'

export type Letter = { readonly to: string; readonly subject: string; readonly text: string; readonly html: string }

export type Mail = {
  /** Queues a letter; with a transaction it is sent if and only if that commits. A server that is away is tried again. */
  send(letter: Letter, tx?: Db): Promise<void>
  isUp(): Promise<boolean>
  close(): void
}

export async function createMail(options: { smtpUrl: string; from: string; jobs: Jobs }): Promise<Mail> {
  const transport = createTransport(options.smtpUrl, {
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 15_000,
  } as object)
  await options.jobs.work<Letter>('mail', { retryLimit: 8, retryDelay: 2, retryBackoff: true }, async (letter) => {
    await transport.sendMail({ ...letter, from: options.from })
  })
  return {
    send: (letter, tx) => options.jobs.send('mail', letter, tx),
    isUp: () =>
      transport.verify().then(
        () => true,
        () => false,
      ),
    close: () => transport.close(),
  }
}
