import { clientOf } from '../../../platform/api-client.ts'
import type { dataCallsApi } from './data-calls-endpoints.server.ts'
import type { UpdateCourse } from './data-calls.schema.ts'

const call = clientOf<typeof dataCallsApi>()

type CourseChange = Omit<Partial<UpdateCourse>, 'price' | 'row_version'> & { readonly price?: string }

/** @throws CallFailed, with problems by field, or row.changed-elsewhere with what is stored */
export const changeCourse = (courseId: string, fields: CourseChange, rowVersion: number) =>
  call('PATCH', '/api/courses/:courseId', { params: { courseId }, body: { ...fields, row_version: rowVersion } })
export const addCourse = (course: { id: string; title: string; price: string } & CourseChange) =>
  call('POST', '/api/courses', { body: { ...course, status: 'draft' } })
export const deleteCourse = (courseId: string, rowVersion: number) =>
  call('DELETE', '/api/courses/:courseId', { params: { courseId }, query: { row_version: rowVersion } })
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
