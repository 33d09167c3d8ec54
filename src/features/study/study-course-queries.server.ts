import type { CourseId } from '../../lib/ids.ts'
import type { RequestContext } from '../../platform/http/request-context.server.ts'
import { findAccess } from '../access/access-queries.server.ts'
import { findCourse } from '../catalogue/catalogue-queries.server.ts'
import { fail as failCatalogue, type CourseView } from '../catalogue/catalogue.schema.ts'

type User = NonNullable<RequestContext['user']>

/** The course that an address or a call names. @throws Failure course.not-found */
export async function getNamedCourse({ db }: Pick<RequestContext, 'db'>, slugOrId: string): Promise<CourseView> {
  const course = await findCourse(db, slugOrId)
  if (course === null) throw failCatalogue('course.not-found')
  return course
}

/** The course of a page that only those with access may use, or why this user may not. Admins may use each. */
export async function openCourse(context: RequestContext, user: User, slugOrId: string) {
  const course = await getNamedCourse(context, slugOrId)
  const names = { slug: course.slug, title: course.title }
  if (user.role === 'admin') return { kind: 'open' as const, course, names }
  const access = await findAccess(context.db, user.id, course.id as CourseId, context.clock.now())
  return access.kind === 'running'
    ? { kind: 'open' as const, course, names }
    : { kind: 'refused' as const, course: names, why: access.kind }
}
