import type { Db } from '../db/open.server.ts'
import type { PersonId } from '../lib/ids.ts'

/** Writes down what an admin did, in the transaction that does it. */
export async function audit(
  tx: Db,
  entry: {
    at: Date
    actorId: PersonId
    action: string
    table: string
    id: string
    before: object | null
    after: object | null
  },
): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({
      at: entry.at,
      actor_id: entry.actorId,
      action: entry.action,
      subject_table: entry.table,
      subject_id: entry.id,
      before: entry.before === null ? null : JSON.stringify(entry.before),
      after: entry.after === null ? null : JSON.stringify(entry.after),
    })
    .execute()
}
