import { endpoint } from '../../platform/http/endpoint.server.ts'
import { CoursePath } from './catalogue.schema.ts'
import { listCourseChoices, listExamChoices } from './course-choices-queries.server.ts'
import { ChoiceFilter, CourseChoices, ExamChoices } from './course-choices.schema.ts'

/** The endpoints of fields that suggest courses or exams while an admin types. */
export function choicesApi() {
  return [
    endpoint({
      method: 'GET',
      path: '/api/admin/course-choices',
      who: 'admin',
      about: 'Lists at most 20 courses that match a search, or that changed last, and counts all matches.',
      limit: 'search',
      query: ChoiceFilter,
      reply: CourseChoices,
      reads: 'replica',
      handle: ({ query }, { reads }) => listCourseChoices(reads, query.search),
    }),
    endpoint({
      method: 'GET',
      path: '/api/admin/courses/:courseId/exam-choices',
      who: 'admin',
      about: 'Lists at most 20 exams of a course in their order, and counts all matches.',
      params: CoursePath,
      limit: 'search',
      query: ChoiceFilter,
      reply: ExamChoices,
      reads: 'replica',
      handle: ({ params, query }, { reads }) => listExamChoices(reads, { ...params, ...query }),
    }),
  ]
}
