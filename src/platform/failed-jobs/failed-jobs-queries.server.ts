import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { FailedJob } from './failed-jobs.schema.ts'

/** pg-boss moves failed jobs to the archive after some hours, and deletes them after some days. */
const failedJobs = sql`(
  select id, name, data, output, retry_count, completed_on from jobs.job where state = 'failed'
  union all select id, name, data, output, retry_count, completed_on from jobs.archive where state = 'failed') as failed`

const JOBS_SHOWN = 50

/** The latest failed jobs, newest first. */
export async function listFailedJobs(db: Db): Promise<FailedJob[]> {
  const { rows } = await sql<Omit<FailedJob, 'failedAt' | 'why'> & { failedAt: Date; why: string | null }>`
    select id, name, data->>'to' as to, data->>'subject' as subject,
      coalesce(output->>'message', output->'value'->>'message') as why, retry_count + 1 as tries,
      completed_on as "failedAt"
    from ${failedJobs} order by completed_on desc, id limit ${JOBS_SHOWN}`.execute(db)
  return rows.map((row) => ({
    ...row,
    why: (row.why ?? '').split('\n')[0]?.slice(0, 300) ?? '',
    failedAt: row.failedAt.toISOString(),
  }))
}

export async function countFailedJobs(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${failedJobs}`.execute(db)
  return rows[0]?.count ?? 0
}
