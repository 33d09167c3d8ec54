import { clientOf } from '../../platform/api-client.ts'
import type { choicesApi } from './course-choices-endpoints.server.ts'

const call = clientOf<typeof choicesApi>()

export const findCourses = (search: string, signal: AbortSignal) =>
  call('GET', '/api/admin/course-choices', { query: { search }, signal })
export const findExamsOf = (courseId: string) => (search: string, signal: AbortSignal) =>
  call('GET', '/api/admin/courses/:courseId/exam-choices', { params: { courseId }, query: { search }, signal })
