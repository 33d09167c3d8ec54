import type { Db } from '../../db/open.server.ts'
import type { UserId } from '../../lib/ids.ts'
import { type AdminAction, audit } from '../../platform/audit-log/audit-log-commands.server.ts'
import { fail, type SendFeedback } from './feedback.schema.ts'

/** Stores feedback; a second call with the same id changes nothing. */
export async function storeFeedback(
  db: Db,
  said: SendFeedback & { readonly userId: UserId | null; readonly now: Date },
): Promise<void> {
  const { id, type, message, context, userId, now } = said
  await db
    .insertInto('feedback')
    .values({ id, type, message, context, user_id: userId, said_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Marks feedback as done; a second call changes nothing. @throws Failure feedback.not-found */
export async function settleFeedback(db: Db, settle: AdminAction & { readonly feedbackId: string }): Promise<void> {
  const { feedbackId, actorId, now } = settle
  await db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('feedback')
      .where('id', '=', feedbackId)
      .select('settled_at')
      .forUpdate()
      .executeTakeFirst()
    if (before === undefined) throw fail('feedback.not-found')
    if (before.settled_at !== null) return
    const after = { settled_at: now, settled_by: actorId }
    await tx.updateTable('feedback').set(after).where('id', '=', feedbackId).execute()
    await audit(tx, { at: now, actorId, action: 'feedback.settle', table: 'feedback', id: feedbackId, before, after })
  })
}

/** Deletes the feedback of a deleted account, because messages may contain personal data. */
export async function eraseFeedbackAuthor(tx: Db, userId: UserId): Promise<void> {
  await tx.deleteFrom('feedback').where('user_id', '=', userId).execute()
}
