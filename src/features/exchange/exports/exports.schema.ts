import { QuestionKey } from '../../questions/types/question-base.schema.ts'
import { z } from 'zod'
import { failureTable, fill } from '../../../lib/failure.ts'
import { EXPORT_FORMATS } from '../../questions/formats/formats.schema.ts'
import { copy } from './exports.copy.ts'
import { MAX_EXPORTED, MAX_PLACES } from './exports.ts'

export const ExportFormat = z.enum(EXPORT_FORMATS, copy['export.format.unknown'])

/** A list in a query string, separated by commas. */
const listed = (sentence: string, most: number) =>
  z
    .string(sentence)
    .max(most, sentence)
    .transform((text) => text.split(',').filter((item) => item !== ''))

const Ids = listed(copy['export.of'], 10_000).pipe(
  z.array(z.uuid(copy['export.of'])).max(MAX_PLACES, copy['export.places.many']),
)

/** `published` is what learners get; `draft` takes the drafts of the exams that have one. */
export const EXPORT_VERSIONS = ['published', 'draft'] as const

/** An export: courses with their exams, exams, or some questions of one exam; and its format. */
export const ExportSelection = z
  .object({
    format: ExportFormat,
    version: z.enum(EXPORT_VERSIONS, copy['export.version.unknown']).default('published'),
    course: Ids.default([]),
    exam: Ids.default([]),
    questions: listed(copy['export.questions'], 100_000)
      .pipe(z.array(QuestionKey).max(1000, copy['export.questions']))
      .optional(),
  })
  .refine(({ course, exam }) => course.length + exam.length > 0, { path: ['exam'], error: copy['export.of'] })
  .refine(({ course, exam, questions }) => questions === undefined || (course.length === 0 && exam.length === 1), {
    path: ['questions'],
    error: copy['export.questions.one'],
  })
export type ExportSelection = z.output<typeof ExportSelection>

/** The same for the page's query string: invalid values are ignored. */
export const ExportChosen = z.object({
  format: ExportFormat.catch('json'),
  version: z.enum(EXPORT_VERSIONS).catch('published'),
  course: Ids.catch([]),
  exam: Ids.catch([]),
  questions: z.string().max(100_000).catch(''),
  search: z.string().trim().max(100).catch(''),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
})
export type ExportChosen = z.output<typeof ExportChosen>

export const Losses = z.object({
  questionCount: z.int(),
  losses: z.array(z.object({ examSlug: z.string(), questionId: z.string(), sentence: z.string() })),
})
export type Losses = z.infer<typeof Losses>

export type Exported = Losses & {
  /** The file name of the download. */
  readonly fileName: string
  readonly contentType: string
  readonly chunks: Iterable<Uint8Array>
}

/** A course or an exam that is selected for export. */
export type ExportSubject = {
  readonly kind: 'course' | 'exam'
  readonly id: string
  readonly title: string
  readonly courseId: string
  readonly courseTitle: string
  readonly exams: number
  readonly questionCount: number
  /** The number of its exams with a draft, and its questions if those drafts were published. */
  readonly drafts: number
  readonly draftedCount: number
}

export const fail = failureTable({
  'export.nothing': { status: 409, kind: 'validation', sentence: copy['export.nothing'] },
  'export.too-many': {
    status: 409,
    kind: 'validation',
    sentence: fill(copy['export.too-many'], { n: MAX_EXPORTED }),
  },
})
