import { StudySheet } from '../../questions/study-sheet.schema.ts'
import { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { FileFinding, IMPORT_FORMATS, MAPPED_FIELDS } from '../../questions/formats/formats.schema.ts'
import { CourseFacts, ExamFacts, Reason } from '../../questions/questions.schema.ts'
import { QuestionEdit } from '../../questions/types/question-edit.schema.ts'
import { ExamSettings } from '../../catalogue/exam-settings.schema.ts'
import { descriptionProblem, titleProblem } from '../../catalogue/course-rules.ts'
import type { CourseChoice, ExamChoice } from '../../catalogue/course-choices.schema.ts'
import { CategoryName, PriceDollars, RowId } from '../../catalogue/catalogue.schema.ts'
import { copy } from './imports.copy.ts'

const IMPORT_STATES = ['uploading', 'waiting', 'reading', 'mapping', 'read', 'failed', 'cancelled'] as const
export const ImportState = z.enum(IMPORT_STATES)
export type ImportState = z.infer<typeof ImportState>

/** The verdict of a dry run. `there`: the bank has the question already; `changed`: it has another text under its key. */
export const IMPORT_VERDICTS = ['good', 'needs-review', 'changed', 'there', 'refused'] as const
export const ImportVerdict = z.enum(IMPORT_VERDICTS)
export type ImportVerdict = z.infer<typeof ImportVerdict>

/** `dismissed`: an admin decided to leave the question out. */
export const IMPORT_OUTCOMES = ['open', 'stored', 'dismissed'] as const
const ImportOutcome = z.enum(IMPORT_OUTCOMES)
type ImportOutcome = z.infer<typeof ImportOutcome>

const Counts = z.object({ open: z.int(), stored: z.int(), dismissed: z.int() })
export const ImportCounts = z.object({
  good: Counts,
  'needs-review': Counts,
  changed: Counts,
  there: Counts,
  refused: Counts,
})
export type ImportCounts = z.infer<typeof ImportCounts>

export const Format = z.enum(IMPORT_FORMATS, copy['import.format.unknown'])

export const Mapping = z.partialRecord(
  z.enum(MAPPED_FIELDS, copy['import.mapping.wrong']),
  z.int(copy['import.mapping.wrong']).min(0, copy['import.mapping.wrong']).max(20_000, copy['import.mapping.wrong']),
)
export type Mapping = z.infer<typeof Mapping>

export const Columns = z.object({
  header: z.array(z.string()),
  rows: z.array(z.array(z.string())),
  mapping: Mapping,
})
export type Columns = z.infer<typeof Columns>

/** A course that a file describes. */
export const ReadCourse = z.object({
  file: z.string(),
  slug: z.string(),
  facts: CourseFacts,
  sheets: z.array(StudySheet).optional(),
})
export type ReadCourse = z.infer<typeof ReadCourse>

/** An exam that a file describes, with its number of questions and, if the file names it, the slug of its course. */
export const ReadExam = z.object({
  file: z.string(),
  facts: ExamFacts.partial(),
  questions: z.int(),
  course: z.string().nullable().default(null),
  caseStudies: z.array(CaseStudy).default([]),
})
export type ReadExam = z.infer<typeof ReadExam>

export const ImportView = z.object({
  id: z.string(),
  name: z.string(),
  sizeBytes: z.number(),
  state: ImportState,
  wantedFormat: z.string().nullable(),
  format: z.string().nullable(),
  sign: z.string().nullable().describe('A sentence that says by what the format was recognized, and where.'),
  nearest: z.array(Format).describe('The formats that the file resembles most, without the one that it was read as.'),
  columns: Columns.nullable(),
  mapping: Mapping.nullable(),
  readCount: z.int(),
  percent: z.int(),
  problem: z.string().nullable(),
  counts: ImportCounts,
  findings: z.array(FileFinding),
  courses: z.array(ReadCourse.omit({ sheets: true })),
  exams: z.array(ReadExam),
  hasBytes: z.boolean(),
  madeBy: z.string().nullable(),
  createdAt: z.string(),
  storedAt: z.string().nullable(),
  target: z
    .object({
      kind: z.enum(['course', 'exam']),
      id: z.string(),
      title: z.string(),
      /** The course, or that of the exam. */
      course: z.object({ id: z.string(), slug: z.string(), status: z.enum(['draft', 'published', 'withdrawn']) }),
    })
    .nullable()
    .describe('The last course or exam that its questions were stored in.'),
})
export type ImportView = z.infer<typeof ImportView>

/** An import in the list. */
export type ImportLine = Pick<
  ImportView,
  'id' | 'name' | 'sizeBytes' | 'state' | 'format' | 'madeBy' | 'createdAt' | 'storedAt'
> & {
  readonly questions: number
  readonly refused: number
  readonly stored: number
}

/** A question of an import in the list. */
export const ImportedQuestion = z.object({
  place: z.int(),
  file: z.string(),
  line: z.int(),
  key: z.string(),
  verdict: ImportVerdict,
  outcome: ImportOutcome,
  excerpt: z.string(),
  reasons: z.array(Reason),
  lost: z.array(z.string()),
  there: z.object({ examId: z.string(), examTitle: z.string(), questionId: z.string() }).nullable(),
})
export type ImportedQuestion = z.infer<typeof ImportedQuestion>

export const ImportPath = z.object({ importId: z.uuid() })
export const ImportedPath = ImportPath.extend({ place: z.coerce.number().int().min(0).max(10_000_000) })

/** The query of an upload; the bytes are the body. */
export const Upload = z.object({
  name: z
    .string(copy['import.name'])
    .trim()
    .min(1, copy['import.name'])
    .max(300, copy['import.name'])
    .refine((name) => !/\p{Cc}/u.test(name), copy['import.name']),
  format: Format.optional(),
})

export const ReadAgain = z.object({ format: Format.nullish(), mapping: Mapping.nullish() })

const Title = z.string(copy['import.title']).superRefine((title, issues) => {
  const problem = titleProblem(title)
  if (problem !== null) issues.addIssue({ code: 'custom', message: problem })
})

const Description = z.string(copy['import.description']).superRefine((text, issues) => {
  const problem = descriptionProblem(text)
  if (problem !== null) issues.addIssue({ code: 'custom', message: problem })
})

/** The facts of a new exam that the file does not give. */
const NewExam = z.object({
  title: ExamSettings.shape.title,
  timeLimitMinutes: ExamSettings.shape.timeLimitMinutes.default(60),
  passingScore: ExamSettings.shape.passingScore.default(70),
})

const NewCourseStatus = z.enum(['draft', 'published'], copy['import.status']).default('draft')

export const Target = z.discriminatedUnion(
  'kind',
  [
    z.object({
      kind: z.literal('new-course'),
      course: z.object({
        title: Title.transform((title) => title.trim()),
        description: Description.default(''),
        category: CategoryName.nullable().default(null),
        price: PriceDollars.default(() => PriceDollars.parse(0)),
        status: NewCourseStatus,
      }),
      exam: NewExam,
    }),
    z.object({ kind: z.literal('new-exam'), courseId: RowId, exam: NewExam }),
    z.object({ kind: z.literal('exam'), examId: RowId }),
    z.object({ kind: z.literal('own-places') }),
    z.object({ kind: z.literal('own-courses'), status: NewCourseStatus }),
  ],
  copy['import.target'],
)
export type Target = z.output<typeof Target>

export const StoreImport = z.object({ target: Target, withReview: z.boolean(copy['import.flag']).default(false) })
export type StoreImport = z.output<typeof StoreImport>

/** The course or exam that an import was begun from: the preselected destination. */
export type ImportDestination = { readonly course: CourseChoice | null; readonly exam: ExamChoice | null }

/** The number of stored questions, and the exams that received them. */
export const StoredImport = z.object({
  added: z.int(),
  changed: z.int(),
  exams: z.array(z.object({ id: z.string(), title: z.string(), added: z.int(), changed: z.int() })),
  courseId: z.string().nullable(),
})
export type StoredImport = z.infer<typeof StoredImport>

export const CorrectQuestion = z.object({ question: QuestionEdit })
export const CorrectedQuestion = z.object({
  verdict: ImportVerdict,
  outcome: ImportOutcome,
  notes: z.array(Reason),
})
export type CorrectedQuestion = z.infer<typeof CorrectedQuestion>

/** Without places: all open refused questions. */
export const DismissQuestions = z.object({
  places: z.array(z.int32(copy['import.places']), copy['import.places']).max(1000, copy['import.places']).optional(),
})

/** `fate` is the former name of `outcome`, in bookmarked links. */
export const ImportedQuestionFilter = z.preprocess(
  (query) =>
    typeof query === 'object' && query !== null && 'fate' in query ? { outcome: query.fate, ...query } : query,
  z.object({
    verdict: z.union([ImportVerdict, z.literal('all')]).catch('all'),
    outcome: z.union([ImportOutcome, z.literal('all')]).catch('all'),
    page: z.coerce.number().int().min(1).max(100_000).catch(1),
  }),
)
export type ImportedQuestionFilter = z.output<typeof ImportedQuestionFilter>

export const fail = failureTable({
  'import.missing': { status: 404, kind: 'database', sentence: copy['import.missing'] },
  'import.too-large': { status: 413, kind: 'validation', sentence: copy['import.too-large'] },
  'import.empty': { status: 400, kind: 'validation', sentence: copy['import.empty'] },
  'import.bytes-gone': { status: 409, kind: 'validation', sentence: copy['import.bytes-gone'] },
  'import.busy': { status: 409, kind: 'validation', sentence: copy['import.busy'] },
  'import.unread': { status: 409, kind: 'validation', sentence: copy['import.unread'] },
  'import.stored-already': { status: 409, kind: 'validation', sentence: copy['import.stored-already'] },
  'import.nothing': { status: 409, kind: 'validation', sentence: copy['import.nothing'] },
  'import.exam-full': { status: 409, kind: 'validation', sentence: copy['import.exam-full'] },
  'import.question-missing': { status: 404, kind: 'database', sentence: copy['import.question-missing'] },
  'import.question-settled': { status: 409, kind: 'validation', sentence: copy['import.question-settled'] },
})
