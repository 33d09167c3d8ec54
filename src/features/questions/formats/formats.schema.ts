import { CASE_STUDY_CODES, type CaseStudy } from '../case-studies/case-study.schema.ts'
import { TYPE_COLUMNS } from '../types/field-registry.ts'
import type { Question } from '../types/question-types.schema.ts'
import { z } from 'zod'
import { wordFinding } from './formats.copy.ts'
import type { CourseFacts, ExamFacts, Judgement } from '../questions.schema.ts'
import type { StudySheet } from '../study-sheet.schema.ts'
import type { LostPart } from './lost-parts.schema.ts'

export const SEVERITIES = ['error', 'warning'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Problems of a file as a whole; those of one question are a `Reason`. */
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
  'picture-refused',
  'picture-unused',
  'sheet-name',
  'sheet-domain',
  'sheet-sections',
  'sheet-source',
  'sheet-words',
  'sheet-missing',
  'clozes-apart',
  ...CASE_STUDY_CODES,
] as const
export type FileCode = (typeof FILE_CODES)[number]

export const FileFinding = z.object({
  code: z.enum(FILE_CODES),
  severity: z.enum(SEVERITIES),
  file: z.string(),
  line: z.int(),
  /** What the sentence names. */
  facts: z.array(z.string()).default([]),
  sentence: z.string(),
})
export type FileFinding = z.output<typeof FileFinding>

export function fileFinding(
  code: FileCode,
  at: { readonly file: string; readonly line?: number; readonly severity?: Severity; readonly about?: string },
): FileFinding {
  const { file, line = 1, severity = 'error', about = '' } = at
  return { code, severity, file, line, facts: [about], sentence: wordFinding(code, [about]) }
}

/** A finding as the database holds it: without its sentence, which earlier builds stored, and which stays as it was. */
export const StoredFileFinding = FileFinding.extend({ sentence: z.string().optional() }).transform(
  (stored): FileFinding => ({ ...stored, sentence: stored.sentence ?? wordFinding(stored.code, stored.facts) }),
)

/** The formats that can be read. `markdown` and `json` are ours; `markdown-*` are the dialects of public banks. */
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
  'anki',
] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** The formats that can be written. */
export const EXPORT_FORMATS = ['json', 'markdown', 'udemy-csv', 'gift', 'moodle-xml', 'qti-2', 'qti-3', 'anki'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** A file of an import: its path within the import, with `/`, and its bytes. */
export interface SourceFile {
  path: string
  bytes: Uint8Array
}

/** The columns of a table: from the name of a field to the index of its column. */
export type ColumnMapping = Partial<Record<(typeof MAPPED_FIELDS)[number], number>>
export const MAPPED_FIELDS = ['key', 'question', ...TYPE_COLUMNS, 'explanation', 'domain', 'url', 'difficulty'] as const

/** An image that comes with a file. A text of its question shows it as `![…](picture:<name>)`. */
export interface AttachedImage {
  name: string
  bytes: Uint8Array
}

/**
 * A question with its place in the files. `input` is what was read, so that a refused question can be corrected; `lost` are
 * facts for which the bank has no field.
 */
export type ReadQuestion = Judgement & {
  file: string
  line: number
  key: string
  input: Record<string, unknown>
  lost: LostPart[]
  images: AttachedImage[]
}

/**
 * Files are read in steps, so that the caller can count, pause and stop. A course comes before its exams, which name it by its
 * slug; an exam comes before its questions; questions before the first exam belong to no exam.
 */
export type ReadStep =
  | { kind: 'course'; file: string; slug: string; facts: CourseFacts; sheets?: readonly StudySheet[] }
  | { kind: 'exam'; file: string; facts: Partial<ExamFacts>; course?: string }
  /** Before the questions of its exam that name it. */
  | { kind: 'case-study'; file: string; line: number; caseStudy: CaseStudy; images: AttachedImage[] }
  | { kind: 'question'; question: ReadQuestion }
  | { kind: 'finding'; finding: FileFinding }

/** A course that is written with its exams. */
export interface CourseToWrite {
  slug: string
  facts: CourseFacts
  /** Only our Markdown has a place for them. */
  sheets?: readonly StudySheet[]
}

/** An exam to be written, with the images that its texts show, by their address. */
export interface ExamToWrite {
  facts: ExamFacts
  courseTitle: string
  /** The course that its file also describes; missing if the exam is exported alone. */
  course?: CourseToWrite
  /** The case studies that the questions name. */
  caseStudies?: readonly CaseStudy[]
  questions: Question[]
  images: ReadonlyMap<string, AttachedImage>
}

/** What a format could not hold of a question. The key is empty if the loss is about the exam. */
export interface Loss {
  examSlug: string
  questionId: string
  sentence: string
}

/** A written file. Several of them become one archive. */
export interface WrittenFile {
  path: string
  bytes: Uint8Array
}

export interface Written {
  files: WrittenFile[]
  losses: Loss[]
}

/** The columns of a table, for mapping them: its header, its first rows and a guess. */
export interface TableColumns {
  header: string[]
  rows: string[][]
  mapping: ColumnMapping
}
