import { fill } from '../../lib/failure.ts'
import { TITLE_LIMIT } from './course-rules.ts'
import { copy } from './course-choices.copy.ts'
import type { CourseChoice, ExamChoice, Unclear } from './course-choices.schema.ts'
import { counted } from '../../lib/text.ts'

/** Suggestions listed at once. The others are only counted, and found by typing more. */
export const CHOICES_SHOWN = 20
/** The longest search. A whole title fits: each of its characters has at most two UTF-16 units. */
export const CHOICE_SEARCH_MAX = 2 * TITLE_LIMIT

/** The hint under a field that suggests courses. */
export const courseHint = copy['choice.hint']

/** Secondary text for suggestions with equal titles. */
export function describeCourse({ status, examCount, slug }: CourseChoice): string {
  const exams = counted(examCount, 'exam')
  return `${copy[`choice.state.${status}`]}, ${exams}, ${slug}`
}

export function describeExam({ questionCount, slug }: Pick<ExamChoice, 'questionCount' | 'slug'>): string {
  const questions = counted(questionCount, 'question')
  return `${questions}, ${slug}`
}

/** The message for text that matches no course, or several. */
export function unclearSentence({ named, foundCount }: Unclear): string {
  return foundCount === 0
    ? fill(copy['choice.unclear.none'], { named })
    : fill(copy['choice.unclear.many'], { n: foundCount, named })
}
