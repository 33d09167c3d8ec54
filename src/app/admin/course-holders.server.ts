import type { Db } from '../../db/open.server.ts'
import { countOwners } from '../../features/access/access-queries.server.ts'
import { countAttemptsOfCourse } from '../../features/attempts/attempts-queries.server.ts'
import { countOrdersOfCourse } from '../../features/checkout/orders-queries.server.ts'

/** Counts what refers to a course: current and former owners, attempts at its exams, and orders. */
export async function countHolders(db: Db, courseId: string, now: Date) {
  const [{ running, ended }, attempts, orders] = await Promise.all([
    countOwners(db, courseId, now),
    countAttemptsOfCourse(db, courseId),
    countOrdersOfCourse(db, courseId),
  ])
  return {
    owners: running,
    formerOwners: ended,
    attempts: attempts.ofUsers,
    guestAttempts: attempts.ofGuests,
    orders,
  }
}
