import { sql } from 'kysely'
import { PREPARED } from '../db/open.server.ts'
import { listExamResults } from '../features/attempts/review/attempt-history-queries.server.ts'
import { listOrders, ordersState } from '../features/checkout/orders-queries.server.ts'
import { resultsState } from '../features/study/exam-results/exam-results-queries.server.ts'
import { plansState } from '../features/study/plan/plan-queries.server.ts'
import { listPassedExams, listPlannedCourses } from '../features/study/plan/planned-courses-queries.server.ts'
import { progressState, readHistory } from '../features/study/study-queries.server.ts'
import { userQuery } from '../platform/cache/cached-queries.server.ts'

const ORDERS_SHOWN = 100

/** The user's data on My Courses, cached until any of it changes. One statement detects changes. */
export const learningOfUser = userQuery(
  'user-progress',
  async (db, userId) => {
    const [results, history, orders, planned, passed] = await Promise.all([
      listExamResults(db, userId),
      readHistory(db, userId),
      listOrders(db, { userId, without: ['expired'], limit: ORDERS_SHOWN }),
      listPlannedCourses(db, userId),
      listPassedExams(db, userId),
    ])
    return { results, history, orders, planned, passed }
  },
  async (db, userId) => {
    const { rows } = await sql<{ state: string }>`${sql.raw(PREPARED)}
      select concat_ws(' ', ${progressState(userId)}, ${ordersState(userId)}, ${plansState(userId)}, ${resultsState(userId)}) as state`.execute(
      db,
    )
    return rows[0]?.state ?? ''
  },
)
