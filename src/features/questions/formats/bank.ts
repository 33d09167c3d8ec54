import { readAiken } from './aiken.ts'
import { isCollection, readAnki } from './anki/anki.ts'
import { type LearnerCards, writeAnkiPackage, writeCards } from './anki/anki-package.ts'
import { loadSqlite } from './anki/sqlite.ts'
import { isArchive, isWorkbook, unpack } from './archive.ts'
import { formatSigns } from './formats.copy.ts'
import { csvColumns, readCsv } from './tables/question-csv.ts'
import { findingStep, leftAsideStep, type Reading } from './parsed-question.ts'
import { readGift, writeGift } from './gift.ts'
import { readOwnJson, writeJson } from './json/question-json.ts'
import { lossesOf } from './losses.ts'
import { readChecked } from './markdown/markdown-checked.ts'
import { readOwnMarkdown, writeOwnMarkdown } from './markdown/markdown-exams.ts'
import { readQuestionFile } from './markdown/markdown-files.ts'
import { readNumbered } from './markdown/markdown-numbered.ts'
import { readMoodleXml, writeMoodleXml } from './moodle/moodle-xml.ts'
import { writeQtiPackage } from './qti/qti-package.ts'
import { readQti } from './qti/qti.ts'
import { inOrder } from './markdown/markdown-marks.ts'
import type {
  ColumnMapping,
  ExamToWrite,
  ExportFormat,
  ImportFormat,
  ReadStep,
  SourceFile,
  TableColumns,
  Written,
  WrittenFile,
} from './formats.schema.ts'
import { canWrite } from '../types/format-registry.ts'
import { formatsLike, laterSignOf, linesBefore, lineOfSign, NEAREST, signOf } from './format-detection.ts'
import { decodeBeginning, decodeText } from './text-decoding.ts'
import { readUdemyCsv, writeUdemyCsv } from './tables/udemy-csv.ts'
import { readVotedJson } from './json/voted-json.ts'
import { readXlsx, xlsxColumns } from './tables/xlsx.ts'

/** Loads what reading or writing a format needs. Call it before `readBank` or `writeBank`, which work without waiting. */
export async function prepareFormat(format: ImportFormat): Promise<void> {
  if (format === 'anki') await loadSqlite()
}

/** What files were taken for, by which sign, and where that stands; the line is null for a workbook. */
export interface Recognised {
  format: ImportFormat
  why: string
  file: string
  line: number | null
}

/** Recognizes the format of files, or of the files of an archive, by their content; null if none fits. */
export function recognise(files: SourceFile[]): Recognised | null {
  const all = inOrder(unpack(files).files)
  const signs = all.map(signOfFile)
  const format = formatAmong(
    all,
    signs.map((sign) => sign?.format ?? null),
  )
  if (format === null) return null
  const at = signs.findIndex((sign) => sign?.format === format)
  return { format, why: formatSigns[format], file: all[at]?.path ?? '', line: signs[at]?.line ?? null }
}

/** The formats that the files resemble most, the nearest first: choices for an admin if none fits, or the one that fits is wrong. */
export function nearestFormats(files: SourceFile[]): ImportFormat[] {
  const texts = unpack(files).files.filter(({ path, bytes }) => !isImage(path) && !isArchive(bytes))
  const counts = new Map<ImportFormat, number>()
  for (const { bytes } of texts.slice(0, FILES_COMPARED))
    for (const [place, format] of formatsLike(decodeBeginning(bytes, BEGINNING)).entries())
      counts.set(format, (counts.get(format) ?? 0) + 1 / (place + 1))
  const nearestFirst = [...counts].sort((a, b) => b[1] - a[1])
  return nearestFirst.slice(0, NEAREST).map(([format]) => format)
}

/**
 * Reads files, or archives of them, one step at a time. Never throws for their content: each question gets a verdict, everything
 * else a finding, and a bad question does not affect others. A format that is not given is recognized.
 */
export function* readBank(
  files: SourceFile[],
  { format: wanted, mapping }: { format?: ImportFormat; mapping?: ColumnMapping } = {},
): Generator<ReadStep> {
  const unpacked = unpack(files)
  yield* unpacked.steps
  const all = inOrder(unpacked.files)
  const signs = all.map(formatOfFile)
  const format = wanted ?? formatAmong(all, signs)
  const [first] = all
  if (format === null) {
    if (first) yield findingStep('format-unknown', { file: first.path })
    return
  }
  const reading: Reading = { files: new Map(all.map((file) => [file.path, file])), taken: new Map(), used: new Set() }
  yield* readers[format](sourcesOf(all, signs, format), reading, mapping ?? {})
  yield* leftAside(all, reading)
}

/** Writes exams in one format, and reports what of each question does not come back when the format is read. @param now for formats that date a file */
export function writeBank(format: ExportFormat, exams: ExamToWrite[], now = new Date(0)): Written {
  const write = (exams: ExamToWrite[]) =>
    writers[format](
      exams.map((exam) => writable(format, exam)),
      now,
    )
  return { files: write(exams), losses: lossesOf(format, exams, (exam) => readBank(write([exam]), { format })) }
}

/** A learner's cards of a course as a package of Anki. They do not hold the fields that only authors see. */
export async function writeLearnerCards(cards: LearnerCards): Promise<Uint8Array> {
  await loadSqlite()
  return writeCards(cards)
}

/** The exam with the questions for which the format has a place. */
function writable(format: ExportFormat, exam: ExamToWrite): ExamToWrite {
  return { ...exam, questions: exam.questions.filter((question) => canWrite(format, question)) }
}

/** The columns of the first table among files, so that an admin can map them; null if there is no table. */
export function columnsOf(files: SourceFile[]): TableColumns | null {
  for (const file of unpack(files).files) {
    const format = formatOfFile(file)
    if (format === 'xlsx') return xlsxColumns(file.bytes)
    if (format === 'csv') return csvColumns(decodeText(file.bytes).text)
  }
  return null
}

type Reader = (files: SourceFile[], reading: Reading, mapping: ColumnMapping) => Generator<ReadStep>

const readers: Record<ImportFormat, Reader> = {
  markdown: readMarkdownFiles,
  json: eachText(readOwnJson),
  'udemy-csv': eachText(readUdemyCsv),
  csv: eachText(readCsv),
  xlsx: readXlsx,
  'markdown-numbered': eachText(readNumbered),
  'markdown-checked': eachText(readChecked),
  'markdown-files': eachText(readQuestionFile),
  gift: eachText(readGift),
  aiken: eachText(readAiken),
  'moodle-xml': eachText(readMoodleXml),
  'qti-1': (files, reading) => readQti(files, reading, 'qti-1'),
  'qti-2': (files, reading) => readQti(files, reading, 'qti-2'),
  'qti-3': (files, reading) => readQti(files, reading, 'qti-3'),
  'voted-json': eachText(readVotedJson),
  anki: readAnki,
}

const writers: Record<ExportFormat, (exams: ExamToWrite[], now: Date) => WrittenFile[]> = {
  markdown: writeOwnMarkdown,
  json: (exams) => writeJson(exams, exams.length === 1 ? (exams[0]?.facts.slug ?? '') : 'questions'),
  'udemy-csv': (exams) => exams.map(writeUdemyCsv),
  gift: (exams) => exams.map(writeGift),
  'moodle-xml': (exams) => exams.map(writeMoodleXml),
  'qti-2': (exams) => writeQtiPackage(exams, 'qti-2'),
  'qti-3': (exams) => writeQtiPackage(exams, 'qti-3'),
  anki: writeAnkiPackage,
}

type TextReader = (file: string, text: string, reading: Reading, mapping: ColumnMapping) => Generator<ReadStep>

function eachText(read: TextReader): Reader {
  return function* (files, reading, mapping) {
    for (const file of files) yield* read(file.path, yield* textOf(file, reading), reading, mapping)
  }
}

/** Decodes all files before the first is parsed, because the facts of a course are in a file of their own. */
function* readMarkdownFiles(files: SourceFile[], reading: Reading): Generator<ReadStep> {
  const texts: { file: string; text: string }[] = []
  for (const file of files) texts.push({ file: file.path, text: yield* textOf(file, reading) })
  yield* readOwnMarkdown(texts, reading)
}

function* textOf(file: SourceFile, reading: Reading): Generator<ReadStep, string> {
  const { text, encoding } = decodeText(file.bytes)
  reading.used.add(file.path)
  if (encoding !== 'UTF-8')
    yield findingStep('encoding-taken', { file: file.path, about: encoding, severity: 'warning' })
  return text
}

/** Enough files of an archive to tell what they resemble. */
const FILES_COMPARED = 20

/** Enough of a file to tell its format. */
const BEGINNING = 64 * 1024

/** A collection of Anki names all other files of its package; elsewhere most files decide. */
function formatAmong(files: readonly SourceFile[], signs: (ImportFormat | null)[]): ImportFormat | null {
  return files.some(isCollection) ? 'anki' : mostOf(signs)
}

function mostOf(signs: (ImportFormat | null)[]): ImportFormat | null {
  const counts = new Map<ImportFormat, number>()
  for (const format of signs) if (format !== null) counts.set(format, (counts.get(format) ?? 0) + 1)
  const [most] = [...counts].sort((a, b) => b[1] - a[1])
  return most?.[0] ?? null
}

function formatOfFile(file: SourceFile): ImportFormat | null {
  return signOfFile(file)?.format ?? null
}

type Sign = { format: ImportFormat; line: number | null }

function signOfFile({ path, bytes }: SourceFile): Sign | null {
  if (isCollection({ path, bytes })) return { format: 'anki', line: null }
  if (isArchive(bytes)) return isWorkbook(bytes) ? { format: 'xlsx', line: null } : null
  if (isImage(path)) return null
  const beginning = decodeBeginning(bytes, BEGINNING)
  const format = signOf(beginning, path)
  return format === null ? laterSign(bytes) : { format, line: lineOfSign(format, beginning) }
}

/** How far into a file without a sign its questions may begin. */
const LONGEST_PREFACE = 8 * 1024 * 1024

/** Looks at one piece after the other, so that the time stays linear. Pieces overlap by half: a question may lie across their border. */
function laterSign(bytes: Uint8Array): Sign | null {
  if (bytes.length <= BEGINNING) return null
  const { text } = decodeText(bytes.subarray(0, LONGEST_PREFACE))
  for (let from = BEGINNING / 2; from < text.length; from += BEGINNING / 2) {
    const piece = text.slice(from, from + BEGINNING)
    const format = laterSignOf(piece, text.slice(0, BEGINNING))
    if (format !== null) return { format, line: linesBefore(text, from) + lineOfSign(format, piece) }
  }
  return null
}

function isImage(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|svg|avif|bmp|ico|tiff?)$/i.test(path)
}

/** The files in the format. If none looks like it, an admin chose the format and all are read. */
function sourcesOf(files: SourceFile[], signs: (ImportFormat | null)[], format: ImportFormat): SourceFile[] {
  const signed = files.filter((_, at) => signs[at] === format)
  return signed.length > 0 ? signed : files.filter(({ path }) => !isImage(path))
}

function* leftAside(files: SourceFile[], reading: Reading): Generator<ReadStep> {
  const paths = files.map(({ path }) => path).filter((path) => !reading.used.has(path))
  if (paths.length > 0) yield leftAsideStep(paths)
}
