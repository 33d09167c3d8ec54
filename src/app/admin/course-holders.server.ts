import type { Db } from '../../db/open.server.ts'
import { countOwners } from '../../features/access/access-queries.server.ts'
import { countAttemptsOfCourse } from '../../features/attempts/attempts-queries.server.ts'
import { countOrdersOfCourse } from '../../features/checkout/orders-queries.server.ts'

/** Who hangs on a course: those who own or owned it, the attempts at its exams, and the orders that name it. */
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
