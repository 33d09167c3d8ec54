import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { SILENT_SECONDS } from '../../../platform/silent-work.server.ts'
import type { ImportProblem } from '../imports/imports.copy.ts'

/** A file whose readings lose their process so often is not read again by itself: it may be what ends them. */
export const MOST_LOST_READERS = 5

/** By the clock of the database, because processes on several machines have clocks of their own. */
const isSilent = sql<boolean>`heartbeat_at < clock_timestamp() - ${SILENT_SECONDS} * interval '1 second'`

/** Says that the process that reads the import is alive. */
export async function beatImport(db: Db, importId: string): Promise<void> {
  await db
    .updateTable('imports')
    .set({ heartbeat_at: sql`clock_timestamp()` })
    .where('id', '=', importId)
    .where('state', '=', 'reading')
    .execute()
}

/** Imports that are being read, and whose process was not heard for some time. */
export async function listSilentImports(db: Db): Promise<{ id: string; heardAt: Date }[]> {
  const rows = await db
    .selectFrom('imports')
    .where('state', '=', 'reading')
    .where(isSilent)
    .select(['id', 'heartbeat_at'])
    .execute()
  return rows.map(({ id, heartbeat_at: heardAt }) => ({ id, heardAt: heardAt! }))
}

/** Queues imports again whose process died, unless they lost too many. A process that is only slow can store nothing more of its reading. */
export async function requeueLost(db: Db, importIds: readonly string[], now: Date): Promise<void> {
  if (importIds.length === 0) return
  const isLast = sql`lost_readers + 1 >= ${MOST_LOST_READERS}`
  await db
    .updateTable('imports')
    .set((eb) => ({
      state: sql`case when ${isLast} then 'failed' else 'waiting' end`,
      problem: sql`case when ${isLast} then ${'stopped' satisfies ImportProblem} end`,
      turn: eb('turn', '+', 1),
      lost_readers: eb('lost_readers', '+', 1),
      heartbeat_at: null,
      updated_at: now,
    }))
    .where('id', 'in', importIds)
    .where('state', '=', 'reading')
    .where(isSilent)
    .execute()
}
