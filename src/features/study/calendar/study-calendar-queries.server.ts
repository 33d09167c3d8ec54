import type { Db } from '../../../db/open.server.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import { paths } from '../../../lib/paths.ts'
import type { RequestContext } from '../../../platform/http/request-context.server.ts'
import { findAccess } from '../../access/access-queries.server.ts'
import { listKnownCourses } from '../../catalogue/catalogue-queries.server.ts'
import type { CourseView } from '../../catalogue/catalogue.schema.ts'
import { findPlan, type PlanRecord } from '../plan/plan-queries.server.ts'
import { getPlan } from '../plan/plan-view-queries.server.ts'
import { getHistory, listSummaries } from '../study-queries.server.ts'
import { writeCalendar } from './ical.ts'
import { listEvents, REFRESH_HOURS } from './study-calendar.ts'
import { copy } from './study-calendar.copy.ts'
import { fail, fileOf } from './study-calendar.schema.ts'
import { fill } from '../../../lib/failure.ts'

export type CalendarOf = { readonly userId: UserId; readonly courseId: CourseId }
type Owner = CalendarOf & { readonly isAdmin: boolean }
type Context = Pick<RequestContext, 'db' | 'cachedQueries' | 'clock' | 'appUrl'>

/** The path of a plan's secret address; null until one is made. */
export async function findAddress(db: Db, { userId, courseId }: CalendarOf): Promise<string | null> {
  const plan = await db
    .selectFrom('study_plans')
    .where('user_id', '=', userId)
    .where('course_id', '=', courseId)
    .select('calendar_id')
    .executeTakeFirst()
  return plan?.calendar_id == null ? null : paths.calendar(fileOf(plan.calendar_id))
}

/**
 * Whose plan a secret address shows. Locked and deleted accounts show nothing.
 * @throws Failure calendar.none
 */
export async function getOwner(db: Db, secret: string): Promise<Owner> {
  const plan = await db
    .selectFrom('study_plans')
    .innerJoin('users', 'users.id', 'study_plans.user_id')
    .innerJoin('profiles', 'profiles.id', 'study_plans.user_id')
    .where('calendar_id', '=', secret)
    .where('users.deleted_at', 'is', null)
    .where('users.locked_at', 'is', null)
    .select(['user_id', 'course_id', 'profiles.role'])
    .executeTakeFirst()
  if (plan === undefined) throw fail('calendar.none')
  const { user_id: userId, course_id: courseId, role } = plan
  return { userId: userId as UserId, courseId: courseId as CourseId, isAdmin: role === 'admin' }
}

/** The calendar of a plan as a file. @throws Failure calendar.none */
export async function getCalendarFile(context: Context, of: Owner): Promise<{ name: string; text: string }> {
  const [[course], record] = await Promise.all([listKnownCourses(context, [of.courseId]), findPlan(context.db, of)])
  if (course === undefined || record === null) throw fail('calendar.none')
  const at = context.clock.now()
  const { slug, title } = course
  const planned = await getDays(context, of, { course, record, now: at })
  const events = listEvents({
    owner: of,
    course: { slug, title },
    appUrl: context.appUrl,
    examDate: record.examDate,
    ...planned,
  })
  const name = fill(copy['calendar.name'], { course: title })
  return { name: `${slug}-plan`, text: writeCalendar({ name, events, at, refreshHours: REFRESH_HOURS }) }
}

type PlanOf = { readonly course: CourseView; readonly record: PlanRecord; readonly now: Date }

/** The days of the plan; null after the access has ended. */
async function getDays(context: Context, { userId, courseId, isAdmin }: Owner, { course, record, now }: PlanOf) {
  const access = isAdmin
    ? { kind: 'running' as const, until: null }
    : await findAccess(context.db, userId, courseId, now)
  const studies =
    access.kind === 'running'
      ? await listSummaries(context, { courseIds: [courseId], history: await getHistory(context, userId), now })
      : null
  const study = studies?.get(courseId)
  if (access.kind !== 'running' || study === undefined) return { today: record.examDate, days: null }
  const { facts, days } = await getPlan(context, { userId, course, record, study, accessUntil: access.until, now })
  return { today: facts.today, days }
}
