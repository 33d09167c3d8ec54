import { z } from 'zod'
import { COURSE_STATES, RowId } from './catalogue.schema.ts'
import { copy } from './course-choices.copy.ts'
import { CHOICE_SEARCH_MAX } from './course-choices.ts'

/** An empty search lists what changed last. */
export const ChoiceFilter = z.object({
  search: z.string().trim().max(CHOICE_SEARCH_MAX, copy['choice.search.long']).default(''),
})

/** A suggested course. */
export const CourseChoice = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  status: z.enum(COURSE_STATES),
  examCount: z.int(),
})
export type CourseChoice = z.infer<typeof CourseChoice>
export const CourseChoices = z.object({ choices: z.array(CourseChoice), foundCount: z.int() })
export type CourseChoices = z.infer<typeof CourseChoices>

/** A suggested exam. */
export const ExamChoice = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  questionCount: z.int(),
})
export type ExamChoice = z.infer<typeof ExamChoice>
export const ExamChoices = z.object({ choices: z.array(ExamChoice), foundCount: z.int() })
export type ExamChoices = z.infer<typeof ExamChoices>

/**
 * A course in the address of a page, by its id or by typed text. Without JavaScript a form sends both, and the text takes
 * precedence.
 */
export const NamedCourse = z.object({
  course: RowId.nullable().catch(null).default(null),
  named: z.string().trim().max(CHOICE_SEARCH_MAX).nullable().catch(null).default(null),
})
export type NamedCourse = z.infer<typeof NamedCourse>

/** Typed text that matches no course, or several. */
export type Unclear = { readonly named: string; readonly foundCount: number }
