import { z } from 'zod'
import type { CourseFacts, ExamFacts, Judgement, Question } from '../questions.schema.ts'

export const SEVERITIES = ['error', 'warning'] as const
export type Severity = (typeof SEVERITIES)[number]

/** What can be wrong with a file as a whole; what is wrong with one question is a `Reason`. */
export const FILE_CODES = [
  'file-unreadable',
  'course-file-missing',
  'folder-name',
  'head-missing',
  'head-broken',
  'field-missing',
  'field-wrong',
  'field-unknown',
  'text-before-questions',
  'no-questions',
  'format-unknown',
  'encoding-taken',
  'archive-refused',
  'entry-refused',
  'files-left-aside',
  'entities-left-aside',
  'text-outside-questions',
  'column-missing',
  'columns-too-many',
] as const
export type FileCode = (typeof FILE_CODES)[number]

export const FileFinding = z.object({
  code: z.enum(FILE_CODES),
  severity: z.enum(SEVERITIES),
  file: z.string(),
  line: z.int(),
  sentence: z.string(),
})
export type FileFinding = z.infer<typeof FileFinding>

/** What can be read. `markdown` and `json` are ours; `markdown-*` are the dialects of public banks. */
export const IMPORT_FORMATS = [
  'markdown',
  'json',
  'udemy-csv',
  'csv',
  'xlsx',
  'markdown-numbered',
  'markdown-checked',
  'markdown-files',
  'gift',
  'aiken',
  'moodle-xml',
  'qti-1',
  'qti-2',
  'qti-3',
  'voted-json',
] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** What can be written. */
export const EXPORT_FORMATS = ['json', 'markdown', 'udemy-csv', 'gift', 'moodle-xml', 'qti-3'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** One file of what is brought in: its path within that, with `/`, and its bytes as they are. */
export interface SourceFile {
  path: string
  bytes: Uint8Array
}

/** Which column of a table holds what: the name of a field to the number of its column, from 0. */
export type ColumnMapping = Partial<Record<(typeof MAPPED_FIELDS)[number], number>>
export const MAPPED_FIELDS = [
  'key',
  'question',
  'answer_a',
  'answer_b',
  'answer_c',
  'answer_d',
  'answer_e',
  'answer_f',
  'final_answer',
  'explanation',
  'domain',
  'url',
  'difficulty',
] as const

/** A picture that a file brings along. A text of its question shows it as `![…](picture:<name>)`. */
export interface AttachedImage {
  name: string
  bytes: Uint8Array
}

/**
 * A question with where it stands. `input` is what was read, so that a refused one can be mended; `lost` are sentences about
 * what the file says of it and the bank can't hold.
 */
export type ReadQuestion = Judgement & {
  file: string
  line: number
  key: string
  input: Record<string, unknown>
  lost: string[]
  images: AttachedImage[]
}

/**
 * Reading goes in steps, so that whoever reads can count, pause and stop. A course comes before its exams, which name it by
 * its slug; an exam comes before its questions; questions before the first exam belong to none.
 */
export type ReadStep =
  | { kind: 'course'; file: string; slug: string; facts: CourseFacts }
  | { kind: 'exam'; file: string; facts: Partial<ExamFacts>; course?: string }
  | { kind: 'question'; question: ReadQuestion }
  | { kind: 'finding'; finding: FileFinding }

/** A course that is written with its exams. */
export interface CourseToWrite {
  slug: string
  facts: CourseFacts
}

/** An exam to be written, with the pictures that its texts show, by their address there. */
export interface ExamToWrite {
  facts: ExamFacts
  courseTitle: string
  /** What its file also says of its course; nothing where an exam goes out alone. */
  course?: CourseToWrite
  questions: Question[]
  images: ReadonlyMap<string, AttachedImage>
}

/** What could not be carried, by question; an empty key where it is about the exam. */
export interface Loss {
  examSlug: string
  questionId: string
  sentence: string
}

/** A file of what was written; several of them go into one archive. */
export interface WrittenFile {
  path: string
  bytes: Uint8Array
}

export interface Written {
  files: WrittenFile[]
  losses: Loss[]
}

/** The columns of a table, for whoever says which one holds what: its header, its first rows and what was guessed. */
export interface TableColumns {
  header: string[]
  rows: string[][]
  mapping: ColumnMapping
}
