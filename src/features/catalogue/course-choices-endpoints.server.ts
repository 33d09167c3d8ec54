import { endpoint } from '../../platform/http/endpoint.server.ts'
import { CoursePath } from './catalogue.schema.ts'
import { listCourseChoices, listExamChoices } from './course-choices-queries.server.ts'
import { ChoiceFilter, CourseChoices, ExamChoices } from './course-choices.schema.ts'

/** What a field asks in which one types a part of a title and chooses. */
export function choicesApi() {
  return [
    endpoint({
      method: 'GET',
      path: '/api/admin/course-choices',
      who: 'admin',
      about: 'Courses to choose one of: at most 20 that a search finds, or that changed last, and how many there are.',
      query: ChoiceFilter,
      reply: CourseChoices,
      handle: ({ query }, { db }) => listCourseChoices(db, query.search),
    }),
    endpoint({
      method: 'GET',
      path: '/api/admin/courses/:courseId/exam-choices',
      who: 'admin',
      about: 'Exams of a course to choose one of: at most 20, in their order, and how many there are.',
      params: CoursePath,
      query: ChoiceFilter,
      reply: ExamChoices,
      handle: ({ params, query }, { db }) => listExamChoices(db, { ...params, ...query }),
    }),
  ]
}
