import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { EXPORT_FORMATS } from '../../questions/formats/schema.ts'
import { QuestionKey } from '../../questions/schema.ts'
import { copy } from './copy.ts'

export const ExportFormat = z.enum(EXPORT_FORMATS, copy['export.format.unknown'])

/** What leaves, and as what: a course, an exam, or some questions of an exam. */
export const ExportWanted = z
  .object({
    format: ExportFormat,
    course: z.uuid(copy['export.of']).optional(),
    exam: z.uuid(copy['export.of']).optional(),
    questions: z
      .string(copy['export.questions'])
      .max(100_000, copy['export.questions'])
      .transform((text) => text.split(',').filter((key) => key !== ''))
      .pipe(z.array(QuestionKey).max(1000, copy['export.questions']))
      .optional(),
  })
  .refine(({ course, exam }) => (course === undefined) !== (exam === undefined), {
    path: ['exam'],
    error: copy['export.of'],
  })
export type ExportWanted = z.output<typeof ExportWanted>

export const Losses = z.object({
  questionCount: z.int(),
  losses: z.array(z.object({ examSlug: z.string(), questionId: z.string(), sentence: z.string() })),
})
export type Losses = z.infer<typeof Losses>

export type Exported = Losses & {
  /** As whom the download is kept. */
  readonly fileName: string
  readonly contentType: string
  readonly chunks: Iterable<Uint8Array>
}

/** What leaves, for the page that asks in which form. */
export type ExportSubject = {
  readonly kind: 'course' | 'exam'
  readonly id: string
  readonly title: string
  readonly courseId: string
  readonly questionCount: number
}

export const fail = failureTable({
  'export.nothing': { status: 409, kind: 'validation', sentence: copy['export.nothing'] },
})
