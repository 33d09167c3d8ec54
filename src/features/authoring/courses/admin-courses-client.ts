import { clientOf } from '../../../platform/api-client.ts'
import type { adminCoursesApi } from './admin-courses-endpoints.server.ts'

const call = clientOf<typeof adminCoursesApi>()

export const getCourse = (courseId: string) => call('GET', '/api/admin/courses/:courseId', { params: { courseId } })
/** The data that would be deleted with the course. */
export const getDependents = (courseId: string) =>
  call('GET', '/api/admin/courses/:courseId/dependents', { params: { courseId } })
export const duplicateCourse = (courseId: string, id: string) =>
  call('POST', '/api/admin/courses/:courseId/duplicate', { params: { courseId }, body: { id } })
export const orderExams = (courseId: string, examIds: string[]) =>
  call('PUT', '/api/admin/courses/:courseId/exam-order', { params: { courseId }, body: { examIds } })
export const publishCourse = (courseId: string, rowVersion: number, drafts: { examId: string; version: number }[]) =>
  call('POST', '/api/admin/courses/:courseId/publish', { params: { courseId }, body: { rowVersion, drafts } })
