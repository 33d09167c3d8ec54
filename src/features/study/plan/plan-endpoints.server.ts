import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { requireUser, type RequestContext } from '../../../platform/http/request-context.server.ts'
import type { CourseId } from '../../../lib/ids.ts'
import { requireAccess } from '../../access/access-queries.server.ts'
import { findCourse } from '../../catalogue/catalogue-queries.server.ts'
import { fail as failCatalogue, type CourseView } from '../../catalogue/catalogue.schema.ts'
import { removePlan, setPlan } from './plan-commands.server.ts'
import { findPlan } from './plan-queries.server.ts'
import { fail, PlanPath, PlanWish, StoredPlan } from './plan.schema.ts'

/** The exam date of a course, and the wishes for the plan until then. */
export function planApi() {
  return [
    endpoint({
      method: 'GET',
      path: '/api/plans/:courseSlug',
      who: 'signed-in',
      about: "Returns the user's exam date for a course and the wishes for the plan.",
      params: PlanPath,
      reply: StoredPlan,
      async handle({ params }, context) {
        const user = requireUser(context)
        const course = await getCourse(context, params.courseSlug)
        return planView(context, { userId: user.id, courseId: course.id as CourseId })
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/plans/:courseSlug',
      who: 'signed-in',
      about: 'Sets or moves the exam date of a course that is open to the user, with the wishes for the plan.',
      params: PlanPath,
      body: PlanWish,
      reply: StoredPlan,
      async handle({ params, body }, context) {
        const now = context.clock.now()
        const course = await getCourse(context, params.courseSlug)
        const proof = await requireAccess(context.db, requireUser(context), course.id as CourseId, now)
        await setPlan(context.db, { proof, wish: body, now })
        return planView(context, proof)
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/plans/:courseSlug',
      who: 'signed-in',
      about: "Removes the user's exam date for a course, also after access has ended. Idempotent.",
      params: PlanPath,
      reply: Done,
      async handle({ params }, context) {
        const user = requireUser(context)
        const course = await getCourse(context, params.courseSlug)
        await removePlan(context.db, { userId: user.id, courseId: course.id as CourseId })
        return done
      },
    }),
  ]
}

/** @throws Failure course.not-found */
async function getCourse(context: RequestContext, slug: string): Promise<CourseView> {
  const course = await findCourse(context.db, slug)
  if (course === null) throw failCatalogue('course.not-found')
  return course
}

/** @throws Failure plan.none */
async function planView({ db }: RequestContext, of: Parameters<typeof findPlan>[1]): Promise<StoredPlan> {
  const plan = await findPlan(db, of)
  if (plan === null) throw fail('plan.none')
  const { setAt, movedAt, restDays, ...rest } = plan
  return { ...rest, restDays: [...restDays], setAt: setAt.toISOString(), movedAt: movedAt?.toISOString() ?? null }
}
