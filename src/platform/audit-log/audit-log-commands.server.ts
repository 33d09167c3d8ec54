import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { UserId } from '../../lib/ids.ts'
import { requireAdmin, type RequestContext } from '../http/request-context.server.ts'

/** The admin who acts, and when. */
export type AdminAction = { readonly actorId: UserId; readonly now: Date }

/** @throws Failure when no admin is signed in */
export function actionBy(context: RequestContext): AdminAction {
  return { actorId: requireAdmin(context).id, now: context.clock.now() }
}

/** Records an admin's action in the transaction that performs it. `actorId` is null for actions on the command line. */
export async function audit(
  tx: Db,
  entry: {
    at: Date
    actorId: UserId | null
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

/** Records that an admin viewed personal data: one row, or without an `id` a list. */
export function auditView(
  { db, clock }: Pick<RequestContext, 'db' | 'clock'>,
  view: { actorId: UserId; action: string; table: string; id?: string; after?: object },
): Promise<void> {
  return audit(db, { id: 'list', before: null, after: null, ...view, at: clock.now() })
}

/** An audit entry in a user's own export. It does not name the admin who acted. */
type OwnAuditEntry = {
  readonly id: number
  readonly at: Date
  readonly action: string
  readonly subject_table: string
  readonly subject_id: string
  readonly by: 'you' | 'an admin'
  readonly before: object | null
  readonly after: object | null
}

/**
 * The entries about a user and the user's data, and the entries of the user's own actions as an admin. The latter come without
 * details, which belong to the shop.
 */
export async function listAuditAbout(
  db: Db,
  filter: { readonly userId: UserId; readonly afterId: number; readonly limit: number },
): Promise<OwnAuditEntry[]> {
  const { userId, afterId, limit } = filter
  const { rows } = await sql<OwnAuditEntry>`
    with about as (
      select 'profiles' as subject_table, ${userId}::text as subject_id
      union all select 'users', ${userId}::text
      union all select 'orders', id::text from orders where user_id = ${userId}
      union all select 'attempts', id::text from attempts where user_id = ${userId}
      union all select 'question_reports', id::text from question_reports where user_id = ${userId}
      union all select 'feedback', id::text from feedback where user_id = ${userId})
    select id, at, action, subject_table, subject_id, 'an admin' as by, before, after
    from audit_log join about using (subject_table, subject_id)
    where id > ${afterId} and actor_id is distinct from ${userId}
    union all
    select id, at, action, subject_table, subject_id, 'you' as by, null, null
    from audit_log where id > ${afterId} and actor_id = ${userId}
    order by id limit ${limit}`.execute(db)
  return rows
}

/** Removes a user's address everywhere from the log, and searches by the user's address or name. */
export async function eraseInAudit(tx: Db, user: { readonly email: string; readonly name: string }): Promise<void> {
  const email = user.email.toLowerCase()
  await sql`update audit_log set after = after || '{"search": "(deleted)"}'
    where action in ('people.list', 'audit.list') and length(after->>'search') > 2
      and (strpos(${email}, lower(after->>'search')) > 0 or strpos(${user.name.toLowerCase()}, lower(after->>'search')) > 0
        or strpos(lower(after->>'search'), ${email}) > 0)`.execute(tx)
  const pattern = email.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  await sql`update audit_log set
      before = regexp_replace(before::text, ${pattern}, '(deleted)', 'gi')::jsonb,
      after = regexp_replace(after::text, ${pattern}, '(deleted)', 'gi')::jsonb
    where strpos(lower(before::text), ${email}) > 0 or strpos(lower(after::text), ${email}) > 0`.execute(tx)
}
