import { clientOf } from '../../../platform/client.ts'
import type { catalogueApi } from '../api.server.ts'
import type { UpdateCourse } from './schema.ts'

const call = clientOf<typeof catalogueApi>()

type CourseChange = Omit<Partial<UpdateCourse>, 'price' | 'row_version'> & { readonly price?: string }

export const getCourse = (courseId: string) => call('GET', '/api/admin/courses/:courseId', { params: { courseId } })
/** What deleting the course would take along. */
export const getDependents = (courseId: string) =>
  call('GET', '/api/admin/courses/:courseId/dependents', { params: { courseId } })
/** @throws CallFailed, with problems by field, or row.changed-elsewhere with what is stored */
export const changeCourse = (courseId: string, fields: CourseChange, rowVersion: number) =>
  call('PATCH', '/api/courses/:courseId', { params: { courseId }, body: { ...fields, row_version: rowVersion } })
export const addCourse = (course: { id: string; title: string; price: string } & CourseChange) =>
  call('POST', '/api/courses', { body: { ...course, status: 'draft' } })
export const deleteCourse = (courseId: string, rowVersion: number) =>
  call('DELETE', '/api/courses/:courseId', { params: { courseId }, query: { row_version: rowVersion } })
export const duplicateCourse = (courseId: string, id: string) =>
  call('POST', '/api/admin/courses/:courseId/duplicate', { params: { courseId }, body: { id } })
export const orderExams = (courseId: string, examIds: string[]) =>
  call('PUT', '/api/admin/courses/:courseId/exam-order', { params: { courseId }, body: { examIds } })
export const publishCourse = (courseId: string, rowVersion: number, drafts: { examId: string; version: number }[]) =>
  call('POST', '/api/admin/courses/:courseId/publish', { params: { courseId }, body: { rowVersion, drafts } })
export const addExam = (exam: {
  id: string
  course_id: string
  test_name: string
  time_limit: number
  passing_score: number
}) => call('POST', '/api/test_questions', { body: exam })
export const switchFreeTrial = (examId: string, isFreeTrial: boolean) =>
  call('PATCH', '/api/test_questions/:examId', { params: { examId }, body: { is_free_trial: isFreeTrial } })
export const deleteExam = (examId: string) =>
  call('DELETE', '/api/test_questions/:examId', { params: { examId }, query: {} })
