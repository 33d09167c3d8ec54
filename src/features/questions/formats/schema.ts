import { z } from 'zod'

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
