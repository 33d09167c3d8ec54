import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/open.server.ts'
import type { UserId } from '../../lib/ids.ts'
import { audit } from '../audit-log/audit-log-commands.server.ts'
import type { Jobs } from '../jobs.server.ts'
import { fail } from './failed-jobs.schema.ts'

type AdminAction = { readonly jobId: string; readonly actorId: UserId; readonly now: Date }
const Named = z.object({ to: z.string().optional(), subject: z.string().optional() }).catch({})

/** Starts it anew, with all the tries that it had. Asked twice, it is started once. @throws Failure job.not-found */
export async function retryJob(db: Db, jobs: Pick<Jobs, 'send'>, retry: AdminAction): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { name, data } = await takeFailed(tx, retry, 'job.retry')
    await jobs.send(name, data, tx)
  })
}

/** It is never tried again, and nothing is left of it. @throws Failure job.not-found */
export async function dismissJob(db: Db, dismiss: AdminAction): Promise<void> {
  await db.transaction().execute((tx) => takeFailed(tx, dismiss, 'job.dismiss'))
}

async function takeFailed(tx: Db, by: AdminAction, action: string): Promise<{ name: string; data: object }> {
  const taken = async (table: 'job' | 'archive') =>
    (
      await sql<{ name: string; data: object | null }>`
        delete from ${sql.id('jobs', table)} where id = ${by.jobId} and state = 'failed' returning name, data`.execute(
        tx,
      )
    ).rows[0]
  const job = (await taken('job')) ?? (await taken('archive'))
  if (job === undefined) throw fail('job.not-found')
  const { to, subject } = Named.parse(job.data)
  const before = { name: job.name, ...(to && { to }), ...(subject && { subject }) }
  await audit(tx, { at: by.now, actorId: by.actorId, action, table: 'jobs', id: by.jobId, before, after: null })
  return { name: job.name, data: job.data ?? {} }
}
