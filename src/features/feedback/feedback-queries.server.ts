import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { UserId } from '../../lib/ids.ts'
import { pageOf } from '../../lib/paging.ts'
import { inOnePage, type OwnData } from '../../platform/own-data-export.server.ts'
import type { FeedbackView, FeedbackFilter } from './feedback.schema.ts'

const PAGE_SIZE = 25

/** A page of the feedback, newest first. `next` names the row after which the next page begins. */
export async function listFeedback(
  db: Db,
  filter: FeedbackFilter,
  size = PAGE_SIZE,
): Promise<{ feedback: FeedbackView[]; next: string | null }> {
  const isSettled = filter.state === 'settled'
  const at = isSettled ? ('feedback.settled_at' as const) : ('feedback.said_at' as const)
  let query = db
    .selectFrom('feedback')
    .leftJoin('users', 'users.id', 'feedback.user_id')
    .select([
      'feedback.id',
      'feedback.type',
      'feedback.message',
      'feedback.context',
      'feedback.said_at',
      'feedback.settled_at',
      'users.email',
    ])
    .where('feedback.settled_at', isSettled ? 'is not' : 'is', null)
    .orderBy(at, 'desc')
    .orderBy('feedback.id')
    .limit(size + 1)
  const { after } = filter
  if (after !== null)
    query = query.where(
      sql<boolean>`(${sql.ref(at)} < ${after.at} or (${sql.ref(at)} = ${after.at} and feedback.id > ${after.id}))`,
    )
  const rows = await query.execute()
  const { page, last } = pageOf(rows, size)
  return {
    feedback: page.map((row) => ({
      id: row.id,
      type: row.type,
      message: row.message,
      context: row.context,
      who: row.email,
      saidAt: row.said_at.toISOString(),
      isSettled: row.settled_at !== null,
    })),
    next: last === null ? null : `${(last.settled_at ?? last.said_at).toISOString()}~${last.id}`,
  }
}

export async function countWaitingFeedback(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('feedback')
    .where('settled_at', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** This feature's part of a user's data export. */
export function exportOf(db: Db, userId: UserId): OwnData[] {
  const feedback = () =>
    db
      .selectFrom('feedback')
      .where('user_id', '=', userId)
      .orderBy('said_at')
      .select(['id', 'type', 'message', 'context', 'said_at', 'settled_at'])
      .execute()
  return [{ name: 'feedback', pages: inOnePage(feedback) }]
}
