import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import { pageOf } from '../../lib/paging.ts'
import { likeText } from '../../lib/text.ts'
import { after, DAY_MS } from '../../lib/time.ts'
import type { AuditEntry, AuditFilter } from './audit-log.schema.ts'

const PAGE_ENTRIES = 50

/** A page of the audit log, newest first. Every filter has an index in this order. */
export async function listAuditEntries(
  db: Db,
  filter: AuditFilter,
  size = PAGE_ENTRIES,
): Promise<{ entries: AuditEntry[]; next: string | null }> {
  const { actor, action, table, subject, from, to, kind, after: end } = filter
  let query = db
    .selectFrom('audit_log')
    .leftJoin('users', 'users.id', 'audit_log.actor_id')
    .select([
      'audit_log.id',
      'audit_log.at',
      'audit_log.action',
      'audit_log.subject_table',
      'audit_log.subject_id',
      'audit_log.before',
      'audit_log.after',
      'users.email',
      sql<string>`to_char(audit_log.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('cursor'),
    ])
    .orderBy('audit_log.at', 'desc')
    .orderBy('audit_log.id', 'desc')
    .limit(size + 1)
  if (actor === 'shell') query = query.where('audit_log.actor_id', 'is', null)
  else if (actor !== null) query = query.where('audit_log.actor_id', '=', actor)
  if (action !== null) query = query.where('audit_log.action', '=', action)
  if (table !== null) query = query.where('audit_log.subject_table', '=', table)
  if (subject !== null) {
    const beginning = `${likeText(subject.toLowerCase())}%`
    query = query.where('audit_log.subject_id', 'like', beginning)
  }
  if (from !== null) query = query.where('audit_log.at', '>=', new Date(`${from}T00:00:00Z`))
  if (to !== null) query = query.where('audit_log.at', '<', after(new Date(`${to}T00:00:00Z`), DAY_MS))
  if (kind === 'changes') query = query.where(sql<boolean>`not audit_log.is_look`)
  if (end !== null)
    query = query.where(sql<boolean>`(audit_log.at, audit_log.id) < (${end.at}::timestamptz, ${end.id}::bigint)`)
  const rows = await query.execute()
  const { page, last } = pageOf(rows, size)
  return {
    entries: page.map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      actor: row.email,
      action: row.action,
      table: row.subject_table,
      subjectId: row.subject_id,
      before: row.before,
      after: row.after,
    })),
    next: last === null ? null : `${last.cursor}~${last.id}`,
  }
}

type AuditChoices = {
  readonly actors: readonly { readonly id: string; readonly email: string }[]
  readonly actions: readonly string[]
  readonly tables: readonly string[]
}

/** Far more admins than a shop has; nobody would read a longer list. */
const ACTORS_LISTED = 200

/** The values of the log's filters. The recursive queries read each value once from its index, however many entries have it. */
export async function listAuditChoices(db: Db): Promise<AuditChoices> {
  const [actors, actions, tables] = await Promise.all([
    sql<{ id: string; email: string }>`
      with recursive each as (
        (select actor_id from audit_log where actor_id is not null order by actor_id limit 1)
        union all
        select (select actor_id from audit_log where actor_id > each.actor_id order by actor_id limit 1)
        from each where each.actor_id is not null)
      select users.id, users.email from (select actor_id from each limit ${ACTORS_LISTED}) as listed
      join users on users.id = listed.actor_id order by users.email`.execute(db),
    listNames(db, 'action'),
    listNames(db, 'subject_table'),
  ])
  return { actors: actors.rows, actions, tables }
}

async function listNames(db: Db, column: 'action' | 'subject_table'): Promise<string[]> {
  const name = sql.ref(column)
  const { rows } = await sql<{ name: string }>`
    with recursive each as (
      (select ${name} as name from audit_log order by ${name} limit 1)
      union all
      select (select ${name} from audit_log where ${name} > each.name order by ${name} limit 1)
      from each where each.name is not null)
    select name from each where name is not null order by name`.execute(db)
  return rows.map((row) => row.name)
}
