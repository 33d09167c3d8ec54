import { fill } from '../../lib/failure.ts'
import { TITLE_LIMIT } from './catalogue.ts'
import { copy } from './course-choices.copy.ts'
import type { CourseChoice, ExamChoice, Unclear } from './course-choices.schema.ts'

/** So many are listed at once; the rest are counted, and found by typing more. */
export const CHOICES_SHOWN = 20
/** A whole title fits, also one of pairs of units. */
export const CHOICE_SEARCH_MAX = 2 * TITLE_LIMIT

/** What a course is found by. */
export const courseHint = copy['choice.hint']

/** Under the title: what tells courses of the same title apart. */
export function describeCourse({ status, examCount, slug }: CourseChoice): string {
  const exams = examCount === 1 ? copy['choice.exams.one'] : fill(copy['choice.exams'], { n: examCount })
  return `${copy[`choice.state.${status}`]}, ${exams}, ${slug}`
}

export function describeExam({ questionCount, slug }: Pick<ExamChoice, 'questionCount' | 'slug'>): string {
  const questions =
    questionCount === 1 ? copy['choice.questions.one'] : fill(copy['choice.questions'], { n: questionCount })
  return `${questions}, ${slug}`
}

/** What a form says whose text names no course, or several. */
export function unclearSentence({ named, foundCount }: Unclear): string {
  return foundCount === 0
    ? fill(copy['choice.unclear.none'], { named })
    : fill(copy['choice.unclear.many'], { n: foundCount, named })
}
