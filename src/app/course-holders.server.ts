import type { Db } from '../db/open.server.ts'
import { countOwners } from '../features/access/read.server.ts'
import { countAttemptsOfCourse } from '../features/attempts/read.server.ts'
import { countOrdersOfCourse } from '../features/checkout/read.server.ts'

/** Who holds on to a course: those who own or owned it, their attempts, and the orders that name it. */
export async function countHolders(db: Db, courseId: string, now: Date) {
  const [{ running, ended }, attempts, orders] = await Promise.all([
    countOwners(db, courseId, now),
    countAttemptsOfCourse(db, courseId),
    countOrdersOfCourse(db, courseId),
  ])
  return { owners: running, formerOwners: ended, attempts, orders }
}
