import { z } from 'zod'
import { requireAdmin } from '../../platform/context.server.ts'
import { endpoint } from '../../platform/endpoint.server.ts'
import { pageLoader, requireAdminForPage } from '../../platform/page-loader.server.ts'
import { findCourse, listAdminCourses, listCourseCards } from './read.server.ts'
import {
  AdminCourseView,
  ChangeFreeTrial,
  ChangePrice,
  CourseCardView,
  CoursePath,
  CourseView,
  ExamPath,
  fail,
} from './schema.ts'
import { changeFreeTrial, changePrice } from './write.server.ts'

const Done = z.object({ done: z.literal(true) })

export function catalogueApi() {
  return [
    endpoint({
      method: 'GET',
      path: '/api/courses',
      who: 'anyone',
      about: 'The public list of courses, newest first.',
      reply: z.object({ courses: z.array(CourseCardView) }),
      handle: async (_input, { db }) => ({ courses: await listCourseCards(db) }),
    }),
    endpoint({
      method: 'GET',
      path: '/api/courses/:courseId',
      who: 'anyone',
      about: 'One course with its exams; no questions.',
      params: CoursePath,
      reply: CourseView,
      async handle({ params }, { db }) {
        const course = await findCourse(db, params.courseId)
        if (course === null) throw fail('course.not-found')
        return course
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/admin/courses',
      who: 'admin',
      about: 'Every course, latest change first.',
      reply: z.object({ courses: z.array(AdminCourseView) }),
      handle: async (_input, { db }) => ({ courses: await listAdminCourses(db) }),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/courses/:courseId',
      who: 'admin',
      about: "Changes a course's price.",
      params: CoursePath,
      body: ChangePrice,
      reply: Done,
      async handle({ params, body }, context) {
        await changePrice(context.db, {
          courseId: params.courseId,
          priceCents: body.price,
          actorId: requireAdmin(context).id,
          now: context.clock.now(),
        })
        return { done: true as const }
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/test_questions/:examId',
      who: 'admin',
      about: 'Switches the free trial of an exam on or off.',
      params: ExamPath,
      body: ChangeFreeTrial,
      reply: Done,
      async handle({ params, body }, context) {
        await changeFreeTrial(context.db, {
          examId: params.examId,
          isFreeTrial: body.is_free_trial,
          actorId: requireAdmin(context).id,
          now: context.clock.now(),
        })
        return { done: true as const }
      },
    }),
  ]
}

/** The admin's list of courses. */
export const courseManagementLoader = pageLoader(async ({ context, url }) => {
  requireAdminForPage(context, url)
  return { courses: await listAdminCourses(context.db) }
})
