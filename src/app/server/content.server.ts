import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Drawing } from '../../features/catalogue/images/drawings.ts'
import type { BankCourse, BankExam, BankQuestion, Finding } from '../../features/questions/checks/bank-checks.schema.ts'
import {
  parseCourseMarkdown,
  parseExamMarkdown,
  type QuestionInFile,
} from '../../features/questions/formats/markdown/exam-markdown.ts'
import type { StudySheet } from '../../features/questions/study-sheet.schema.ts'
import { parseStudySheet, sheetPath } from '../../features/questions/formats/markdown/study-sheet-markdown.ts'
import { fileFinding, type FileFinding } from '../../features/questions/formats/formats.schema.ts'
import { caseStudyTexts } from '../../features/questions/case-studies/case-studies.ts'
import { reason, verdictOf } from '../../features/questions/questions.ts'
import { textsOf } from '../../features/questions/types/content-registry.ts'
import { type CourseFacts, ExamFacts } from '../../features/questions/questions.schema.ts'
import {
  type CourseImages,
  missingImages,
  readCourseImages,
  unusedImages,
  withStoredAddresses,
} from './content-images.server.ts'

export interface ContentCourse extends BankCourse, CourseFacts {
  title: string
  blueprint: CourseFacts['blueprint']
  file: string
  exams: ContentExam[]
  /** One for each domain, in their order. */
  sheets: StudySheet[]
  /** The drawings that its exams show, to be stored at the addresses that are in the texts. */
  drawings: Drawing[]
}

interface ContentExam extends BankExam, ExamFacts {
  title: string
  slug: string
  file: string
  questions: ContentQuestion[]
}

interface ContentQuestion extends BankQuestion {
  line: number
}

/**
 * Reads the courses of a folder, with their exams in order and the questions that the bank accepts. Everything else becomes
 * a finding with its file and line. @throws if the folder can't be read
 */
export async function readContent(dir: string): Promise<{ courses: ContentCourse[]; findings: Finding[] }> {
  const courses: ContentCourse[] = []
  const findings: Finding[] = []
  const folders = (await readdir(dir, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
  for (const folder of folders.sort(inFileOrder)) {
    const result = await readCourse(join(dir, folder), folder)
    if (result.course) courses.push(result.course)
    findings.push(...result.findings)
  }
  return { courses, findings }
}

async function readCourse(dir: string, slug: string): Promise<{ course: ContentCourse | null; findings: Finding[] }> {
  const findings: Finding[] = []
  const names = (await readdir(dir)).filter((name) => name.endsWith('.md')).sort(inFileOrder)
  if (names.length === 0) return { course: null, findings }
  const file = join(dir, 'course.md')
  const place = { courseSlug: slug, examSlug: '', questionId: '' }
  if (!ExamFacts.shape.slug.safeParse(slug).success) {
    findings.push({ ...place, ...fileFinding('folder-name', { file: dir, about: slug }) })
  }
  let facts: CourseFacts | null = null
  if (names.includes('course.md')) {
    const text = await readText(file)
    if (text.isRead) {
      const parsed = parseCourseMarkdown(text.text, file)
      facts = parsed.course
      findings.push(...parsed.findings.map((finding) => ({ ...place, ...finding })))
    } else findings.push({ ...place, ...fileFinding('file-unreadable', { file, about: text.why }) })
  } else findings.push({ ...place, ...fileFinding('course-file-missing', { file }) })

  const { images, findings: imageFindings } = await readCourseImages(dir)
  const exams: ContentExam[] = []
  for (const name of names.filter((other) => other !== 'course.md')) {
    const { exam, findings: examFindings } = await readExam(join(dir, name), slug, images)
    if (exam) exams.push(exam)
    findings.push(...examFindings)
  }
  exams.sort((a, b) => a.order - b.order)
  const { sheets, findings: sheetFindings } = await readSheets(dir, facts, images)
  findings.push(...sheetFindings.map((finding) => ({ ...place, ...finding })))
  const ofImages = [...imageFindings, ...unusedImages(dir, images)]
  findings.push(...ofImages.map((finding) => ({ ...place, ...finding })))
  const course: ContentCourse | null = facts && {
    slug,
    file,
    title: facts.title,
    description: facts.description,
    category: facts.category,
    priceCents: facts.priceCents,
    blueprint: facts.blueprint,
    imageUrl: facts.imageUrl,
    exams,
    sheets,
    drawings: [...images.drawings.values()].filter((drawing) => drawing !== null),
  }
  return { course, findings }
}

/** The study sheets of a course, in the order of its domains. */
async function readSheets(
  dir: string,
  facts: CourseFacts | null,
  images: CourseImages,
): Promise<{ sheets: StudySheet[]; findings: FileFinding[] }> {
  const sheets: StudySheet[] = []
  const findings: FileFinding[] = []
  const domains = facts?.blueprint?.domains.map(({ name }) => name) ?? null
  for (const name of await listSheetFiles(join(dir, 'study'))) {
    const file = join(dir, 'study', name)
    const text = await readText(file)
    if (!text.isRead) {
      findings.push(fileFinding('file-unreadable', { file, about: text.why }))
      continue
    }
    const { sheet, findings: found } = parseStudySheet(withStoredAddresses(text.text, images), file, domains)
    findings.push(...found)
    if (sheet === null) continue
    for (const about of missingImages([sheet.body], images))
      findings.push(fileFinding('picture-refused', { file, about: `${about} is not there` }))
    const wanted = sheetPath(sheet)
    if (wanted !== `study/${name}`) findings.push(fileFinding('sheet-name', { file, about: wanted }))
    if (sheets.some(({ slug }) => slug === sheet.slug))
      findings.push(fileFinding('sheet-domain', { file, about: sheet.domain }))
    else sheets.push(sheet)
  }
  const lacking = sheets.length === 0 ? [] : (domains ?? [])
  for (const about of lacking.filter((name) => !sheets.some(({ domain }) => domain === name)))
    findings.push(fileFinding('sheet-missing', { file: dir, about, severity: 'warning' }))
  return { sheets: sheets.toSorted((a, b) => a.order - b.order), findings }
}

async function listSheetFiles(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => name.endsWith('.md')).sort(inFileOrder)
}

async function readExam(
  file: string,
  courseSlug: string,
  images: CourseImages,
): Promise<{ exam: ContentExam | null; findings: Finding[] }> {
  const text = await readText(file)
  if (!text.isRead) {
    const finding = fileFinding('file-unreadable', { file, about: text.why })
    return { exam: null, findings: [{ courseSlug, examSlug: '', questionId: '', ...finding }] }
  }
  const { exam, findings, caseStudies, questions } = parseExamMarkdown(withStoredAddresses(text.text, images), file)
  const place = { courseSlug, examSlug: exam.slug, questionId: '' }
  const accepted = questions.flatMap(({ question, line }) => (question ? [{ question, line }] : []))
  return {
    exam: { ...exam, file, caseStudies: caseStudies.map(({ caseStudy }) => caseStudy), questions: accepted },
    findings: [
      ...findings.map((finding) => ({ ...place, ...finding })),
      ...caseStudies.flatMap(({ caseStudy, line }) =>
        missingImages(caseStudyTexts(caseStudy), images).map((about) => ({
          ...place,
          ...fileFinding('case-study-picture-missing', { file, line, about }),
        })),
      ),
      ...questions.flatMap((question) => reasonFindings(withMissingImages(question, images), file, place)),
    ],
  }
}

function withMissingImages(read: QuestionInFile, images: CourseImages): QuestionInFile {
  const missing = read.question === undefined ? [] : missingImages(textsOf(read.question), images)
  return { ...read, reasons: [...read.reasons, ...missing.map((path) => reason('picture-missing', 'question', path))] }
}

/** What is wrong with a question of a file, as findings. */
export function reasonFindings(
  question: QuestionInFile,
  file: string,
  place: { courseSlug: string; examSlug: string },
): Finding[] {
  return (
    question.reasons
      // The checks of the bank report an empty explanation, too.
      .filter(({ code }) => code !== 'explanation-empty' || question.verdict === 'refused')
      .map(({ code, facts, sentence, line }) => ({
        code,
        severity: verdictOf(code) === 'refused' ? 'error' : 'warning',
        file,
        line: line ?? question.line,
        courseSlug: place.courseSlug,
        examSlug: place.examSlug,
        questionId: question.key,
        facts,
        sentence,
      }))
  )
}

type FileText = { isRead: true; text: string } | { isRead: false; why: string }

async function readText(file: string): Promise<FileText> {
  try {
    return { isRead: true, text: new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file)) }
  } catch (problem) {
    if (problem instanceof TypeError) return { isRead: false, why: 'it is not UTF-8.' }
    return { isRead: false, why: problem instanceof Error ? problem.message : String(problem) }
  }
}

/** Compares by code unit, so that the order does not depend on the machine's locale. */
function inFileOrder(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
