import { z } from 'zod'
import { requireConfirmation, type RequestContext } from '../../../platform/http/request-context.server.ts'
import { endpoint } from '../../../platform/http/endpoint.server.ts'
import { fail as failPlatform } from '../../../platform/request-failures.ts'
import { actionBy } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { CoursePath, ExamPath, fail as failCatalogue, RowId } from '../catalogue.schema.ts'
import {
  findCourseRow,
  listCourseRows,
  listExamRows,
  publicCourseRow,
  publicCourseRows,
  publicExamRows,
} from './data-calls-queries.server.ts'
import {
  CourseRow,
  CourseRows,
  Deleted,
  DeletedExams,
  ExamRows,
  InsertCourse,
  Inserted,
  InsertExam,
  ListCourses,
  ListExams,
  Removed,
  ExpectedVersion,
  UpdateCourse,
  Updated,
  UpdateExam,
} from './data-calls.schema.ts'
import {
  deleteCourse,
  deleteExam,
  deleteExamsOfCourse,
  insertCourse,
  insertExam,
  removeOrphanedExams,
  updateCourse,
  updateExam,
  type DataCallCallbacks,
} from './data-calls-commands.server.ts'

/** Limit of a request body: it carries all questions of an exam. */
const EXAM_LIMIT_BYTES = 8 * 1024 * 1024

const reader = ({ user }: RequestContext) => ({ isAdmin: user?.role === 'admin' })

/** The data calls of the specification. Rows have its column names, and prices are in dollars. */
export function dataCallsApi(callbacks: DataCallCallbacks) {
  return [
    ...readCourseEndpoints(),
    listExamsEndpoint(),
    ...changeCourseEndpoints(callbacks),
    ...changeExamEndpoints(callbacks),
    ...deleteExamEndpoints(),
  ]
}

function readCourseEndpoints() {
  return [
    endpoint({
      method: 'GET',
      path: '/api/courses',
      who: 'anyone',
      about:
        'Lists a page of courses, newest first; `next` is the cursor of the next page. Admins may list all courses.',
      query: ListCourses,
      reply: CourseRows,
      isTagged: true,
      reads: 'replica',
      async handle({ query }, context) {
        if (query.scope === 'all' && !reader(context).isAdmin) throw failPlatform('role.required')
        if (reader(context).isAdmin) return listCourseRows(context.reads, query, { isAdmin: true })
        const { limit, cursor } = query
        return context.cachedQueries.get(
          publicCourseRows,
          context.reads,
          String(limit),
          cursor?.at ?? '',
          cursor?.id ?? '',
        )
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/courses/:courseId',
      who: 'anyone',
      about: 'Returns a course by its row id or slug.',
      params: z.object({ courseId: z.string().min(1).max(250) }),
      reply: CourseRow,
      isTagged: true,
      reads: 'replica',
      async handle({ params }, context) {
        const { cachedQueries, reads } = context
        const course = reader(context).isAdmin
          ? await findCourseRow(reads, params.courseId, { isAdmin: true })
          : await cachedQueries.get(publicCourseRow, reads, params.courseId.toLowerCase())
        if (course === null) throw failCatalogue('course.not-found')
        return course
      },
    }),
  ]
}

function listExamsEndpoint() {
  return endpoint({
    method: 'GET',
    path: '/api/test_questions',
    who: 'anyone',
    about:
      "Lists a course's exams. Only free trials include questions, without answer key and explanation; admins get everything.",
    query: ListExams,
    reply: ExamRows,
    isTagged: true,
    reads: 'replica',
    async handle({ query }, context) {
      const { course_id: courseId, is_free_trial: isFreeTrial, single } = query
      const limit = single === true ? 1 : undefined
      if (reader(context).isAdmin) {
        const filter = { courseId, isFreeTrial, ...(limit === undefined ? {} : { limit }) }
        return { exams: await listExamRows(context.reads, filter, { isAdmin: true }) }
      }
      const filters = [courseId, String(isFreeTrial ?? ''), String(limit ?? '')] as const
      return (await context.cachedQueries.get(publicExamRows, context.reads, ...filters)) ?? { exams: [] }
    },
  })
}

function changeCourseEndpoints(callbacks: DataCallCallbacks) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/courses',
      who: 'admin',
      about: 'Adds a course under the id that is sent; sending the same id again changes nothing.',
      body: InsertCourse,
      reply: Inserted,
      handle: ({ body }, context) => insertCourse(context.db, { course: body, ...actionBy(context) }),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/courses/:courseId',
      who: 'admin',
      about:
        'Changes the fields that are sent. With `row_version`, a row that has changed since is refused with 409. Another price needs a recent confirmation.',
      params: CoursePath,
      body: UpdateCourse,
      reply: Updated,
      async handle({ params, body }, context) {
        const { row_version } = await updateCourse(context.db, {
          ...actionBy(context),
          ...params,
          fields: body,
          requireConfirmation: () => requireConfirmation(context),
        })
        return { done: true as const, row_version }
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/courses/:courseId',
      who: 'admin',
      about:
        'Deletes a course with its exams; a course that users own, owned or ordered is withdrawn from sale instead.',
      params: CoursePath,
      query: ExpectedVersion,
      reply: Deleted,
      handle: ({ params, query }, context) =>
        deleteCourse(context.db, { ...params, ...callbacks, rowVersion: query.row_version, ...actionBy(context) }),
    }),
  ]
}

function changeExamEndpoints(callbacks: DataCallCallbacks) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/test_questions',
      who: 'admin',
      about: 'Adds an exam to a course under the id that is sent; sending the same id again changes nothing.',
      body: InsertExam,
      bodyLimitBytes: EXAM_LIMIT_BYTES,
      reply: Inserted,
      handle: ({ body }, context) => insertExam(context.db, { exam: body, ...actionBy(context) }),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/test_questions/:examId',
      who: 'admin',
      about:
        'Changes an exam. The free trial changes at once; all other changes go to the draft, which has to be published.',
      params: ExamPath,
      body: UpdateExam,
      bodyLimitBytes: EXAM_LIMIT_BYTES,
      reply: Updated,
      async handle({ params, body }, context) {
        const { row_version } = await updateExam(context.db, {
          ...params,
          ...callbacks,
          fields: body,
          ...actionBy(context),
        })
        return { done: true as const, row_version }
      },
    }),
  ]
}

function deleteExamEndpoints() {
  return [
    endpoint({
      method: 'DELETE',
      path: '/api/test_questions/:examId',
      who: 'admin',
      about:
        'Deletes an exam with its versions; an exam that was taken leaves the course and stays readable for those who took it.',
      params: ExamPath,
      query: ExpectedVersion,
      reply: Deleted,
      handle: ({ params, query }, context) =>
        deleteExam(context.db, { ...params, rowVersion: query.row_version, ...actionBy(context) }),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/test_questions',
      who: 'admin',
      about: 'Deletes all exams of a course, each as in deleting a single exam.',
      query: z.object({ course_id: RowId }),
      reply: DeletedExams,
      async handle({ query }, context) {
        const removed = await deleteExamsOfCourse(context.db, { courseId: query.course_id, ...actionBy(context) })
        return { done: true as const, removed }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/rpc/cleanup_orphaned_test_questions',
      who: 'admin',
      about: 'Removes exam versions that nothing refers to, and returns their number.',
      reply: Removed,
      handle: async (_input, context) => ({ removed: await removeOrphanedExams(context.db, actionBy(context)) }),
    }),
  ]
}
