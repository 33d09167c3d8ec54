import { clientOf } from '../../../../platform/client.ts'
import type { choicesApi } from './api.server.ts'

const call = clientOf<typeof choicesApi>()

export const findCourses = (search: string, signal: AbortSignal) =>
  call('GET', '/api/admin/course-choices', { query: { search }, signal })
export const findExamsOf = (courseId: string) => (search: string, signal: AbortSignal) =>
  call('GET', '/api/admin/courses/:courseId/exam-choices', { params: { courseId }, query: { search }, signal })
