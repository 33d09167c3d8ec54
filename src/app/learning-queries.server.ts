import { sql } from 'kysely'
import { PREPARED } from '../db/open.server.ts'
import { listExamResults } from '../features/attempts/review/attempt-history-queries.server.ts'
import { listOrders, ordersState } from '../features/checkout/orders-queries.server.ts'
import { progressState, readHistory } from '../features/study/study-queries.server.ts'
import { userQuery } from '../platform/cache/cached-queries.server.ts'

const ORDERS_SHOWN = 100

/** The user's data on My Courses, cached until any of it changes. One statement detects changes. */
export const learningOfUser = userQuery(
  'user-progress',
  async (db, userId) => {
    const [results, history, orders] = await Promise.all([
      listExamResults(db, userId),
      readHistory(db, userId),
      listOrders(db, { userId, without: ['expired'], limit: ORDERS_SHOWN }),
    ])
    return { results, history, orders }
  },
  async (db, userId) => {
    const { rows } = await sql<{ state: string }>`${sql.raw(PREPARED)}
      select ${progressState(userId)} || ' ' || ${ordersState(userId)} as state`.execute(db)
    return rows[0]?.state ?? ''
  },
)
