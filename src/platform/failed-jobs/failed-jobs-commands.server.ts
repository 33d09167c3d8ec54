import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/open.server.ts'
import type { UserId } from '../../lib/ids.ts'
import { audit } from '../audit-log/audit-log-commands.server.ts'
import type { Jobs } from '../jobs.server.ts'
import { fail } from './failed-jobs.schema.ts'

type AdminAction = { readonly jobId: string; readonly actorId: UserId; readonly now: Date }
const EmailFacts = z.object({ to: z.string().optional(), subject: z.string().optional() }).catch({})

/** Queues the job again with its full number of tries; a second call fails. @throws Failure job.not-found */
export async function retryJob(db: Db, jobs: Pick<Jobs, 'send'>, retry: AdminAction): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { name, data } = await deleteFailed(tx, retry, 'job.retry')
    await jobs.send(name, data, tx)
  })
}

/** Deletes the job for good. @throws Failure job.not-found */
export async function dismissJob(db: Db, dismiss: AdminAction): Promise<void> {
  await db.transaction().execute((tx) => deleteFailed(tx, dismiss, 'job.dismiss'))
}

async function deleteFailed(tx: Db, by: AdminAction, action: string): Promise<{ name: string; data: object }> {
  const deleteFrom = async (table: 'job' | 'archive') =>
    (
      await sql<{ name: string; data: object | null }>`
        delete from ${sql.id('jobs', table)} where id = ${by.jobId} and state = 'failed' returning name, data`.execute(
        tx,
      )
    ).rows[0]
  const job = (await deleteFrom('job')) ?? (await deleteFrom('archive'))
  if (job === undefined) throw fail('job.not-found')
  const { to, subject } = EmailFacts.parse(job.data)
  const before = { name: job.name, ...(to && { to }), ...(subject && { subject }) }
  await audit(tx, { at: by.now, actorId: by.actorId, action, table: 'jobs', id: by.jobId, before, after: null })
  return { name: job.name, data: job.data ?? {} }
}
