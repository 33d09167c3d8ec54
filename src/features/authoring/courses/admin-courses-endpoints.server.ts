import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { pageLoader, replicaPageLoader, requireAdminForPage } from '../../../platform/http/page-loader.server.ts'
import { actionBy } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { countContent, getCourseFacts, listAdminCourses } from '../../catalogue/catalogue-queries.server.ts'
import { listLatestExams } from '../drafts/drafts-queries.server.ts'
import { findBlockers } from '../drafts/drafts.ts'
import {
  AdminCourses,
  BuilderFilter,
  CourseDependents,
  CourseFactsView,
  CoursePath,
  CourseFilter,
  DuplicateCourse,
  Duplicated,
  ExamOrder,
  fail,
  PublishCourse,
} from '../../catalogue/catalogue.schema.ts'
import { duplicateCourse, orderExams, publishCourse } from './admin-courses-commands.server.ts'

/** Facts about a course from later features; the app passes the functions. */
type AdminCoursesCallbacks = {
  countHolders(
    db: Db,
    courseId: string,
    now: Date,
  ): Promise<Pick<CourseDependents, 'owners' | 'formerOwners' | 'attempts' | 'guestAttempts' | 'orders'>>
}

export function adminCoursesApi(callbacks: AdminCoursesCallbacks) {
  return [...courseViewEndpoints(callbacks), ...courseChangeEndpoints()]
}

function courseViewEndpoints({ countHolders }: AdminCoursesCallbacks) {
  return [
    endpoint({
      method: 'GET',
      path: '/api/admin/courses',
      who: 'admin',
      about: 'Lists a page of courses with their exams: searched, filtered and sorted.',
      limit: 'search',
      query: CourseFilter,
      reply: AdminCourses,
      reads: 'replica',
      handle: ({ query }, { reads }) => listAdminCourses(reads, query),
    }),
    endpoint({
      method: 'GET',
      path: '/api/admin/courses/:courseId',
      who: 'admin',
      about: 'Returns all facts of a course or a draft that an admin can edit.',
      params: CoursePath,
      reply: CourseFactsView,
      handle: ({ params }, { db }) => getCourseFacts(db, params.courseId),
    }),
    endpoint({
      method: 'GET',
      path: '/api/admin/courses/:courseId/dependents',
      who: 'admin',
      about:
        'Counts the owners, orders and attempts of a course, which decide whether deleting removes it or withdraws it from sale.',
      params: CoursePath,
      reply: CourseDependents,
      async handle({ params: { courseId } }, { db, clock }) {
        const [content, holders] = await Promise.all([
          countContent(db, courseId),
          countHolders(db, courseId, clock.now()),
        ])
        // Attempts without orders are free trials, which nobody paid for.
        const isHeld = holders.owners + holders.formerOwners + holders.orders > 0
        return { ...content, ...holders, outcome: isHeld ? ('withdrawn' as const) : ('deleted' as const) }
      },
    }),
  ]
}

function courseChangeEndpoints() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/admin/courses/:courseId/duplicate',
      who: 'admin',
      about: 'Copies a course with its exams to a draft with the given id. Idempotent by the id.',
      params: CoursePath,
      body: DuplicateCourse,
      reply: Duplicated,
      handle: ({ params, body }, context) => duplicateCourse(context.db, { ...params, ...body, ...actionBy(context) }),
    }),
    endpoint({
      method: 'PUT',
      path: '/api/admin/courses/:courseId/exam-order',
      who: 'admin',
      about: 'Orders the exams of a course. Exams that are not named follow the named ones.',
      params: CoursePath,
      body: ExamOrder,
      reply: Done,
      async handle({ params, body }, context) {
        await orderExams(context.db, { ...params, ...body, ...actionBy(context) })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/admin/courses/:courseId/publish',
      who: 'admin',
      about: 'Publishes a course with the drafts of its exams, if none of them has changed since they were read.',
      params: CoursePath,
      body: PublishCourse,
      reply: z.object({ slug: z.string() }),
      handle: ({ params, body }, context) => publishCourse(context.db, { ...params, ...body, ...actionBy(context) }),
    }),
  ]
}

/** A page of the admin's course list. */
export const courseManagementLoader = replicaPageLoader(async ({ context, url }) => {
  const { id: adminId } = requireAdminForPage(context, url)
  const wanted = CourseFilter.parse(Object.fromEntries(url.searchParams))
  return { ...(await listAdminCourses(context.reads, wanted)), wanted, adminId }
})

/** A course to edit. */
export const courseEditLoader = pageLoader(async ({ context, params, url }) => {
  const { id: adminId } = requireAdminForPage(context, url)
  const path = CoursePath.safeParse(params)
  if (!path.success) throw fail('course.not-found')
  const course = await getCourseFacts(context.db, path.data.courseId)
  return { course, adminId, now: context.clock.now().toISOString() }
})

/** Findings that the builder lists; the rest are counted. */
const LISTED_BLOCKERS = 200

/** The course that is being built, at the step in the URL; without a course, the drafts. */
export const courseBuilderLoader = pageLoader(async ({ context, url }) => {
  const { id: adminId } = requireAdminForPage(context, url)
  const now = context.clock.now().toISOString()
  const wanted = BuilderFilter.parse(Object.fromEntries(url.searchParams))
  if (wanted.course === null) {
    const { courses: begun } = await listAdminCourses(context.db, CourseFilter.parse({ status: 'draft' }))
    const drafts = begun.map(({ id, title, updatedAt, exams }) => ({ id, title, updatedAt, examCount: exams.length }))
    return { adminId, now, drafts, built: null }
  }
  const course = await getCourseFacts(context.db, wanted.course)
  const exams = await listLatestExams(context.db, course.id)
  const blockers = wanted.step === 'look' ? findBlockers(course, exams) : []
  const built = {
    course,
    step: wanted.step,
    exams: exams.map(({ familyId, settings, draftVersion, questions }) => ({
      id: familyId,
      settings,
      draftVersion,
      questionCount: questions.length,
      reviewCount: questions.filter(({ needsReview }) => needsReview).length,
    })),
    blockers: blockers.slice(0, LISTED_BLOCKERS),
    blockerCount: blockers.length,
  }
  return { adminId, now, drafts: [], built }
})
