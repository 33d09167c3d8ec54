import { z } from 'zod'
import { QuestionForTaking } from '../../questions/types/question-types.schema.ts'

/** Exams and their questions, counted. */
export const CountedExams = z.object({
  exams: z.int(),
  questions: z.int(),
  /** The kinds of questions that are there, each with its words and how many there are. */
  kinds: z.array(z.object({ words: z.string(), count: z.int() })),
})
export type CountedExams = z.infer<typeof CountedExams>

/** A question of a free trial to answer on the page itself. */
export const Sample = z.object({
  examSlug: z.string(),
  examTitle: z.string(),
  /** The number of questions of its exam. */
  questionCount: z.int(),
  question: QuestionForTaking,
})
export type Sample = z.infer<typeof Sample>

export const CourseContents = z.object({
  paid: CountedExams,
  free: CountedExams,
  /** When the newest version of its exams was published; null without exams. */
  reviewedAt: z.string().nullable(),
  sample: Sample.nullable(),
})
export type CourseContents = z.infer<typeof CourseContents>

/** The question to try of the home page, and its course. */
export const HomeSample = z.object({ courseSlug: z.string(), courseTitle: z.string(), sample: Sample })
export type HomeSample = z.infer<typeof HomeSample>
