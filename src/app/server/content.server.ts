import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BankCourse, BankExam, BankQuestion, Finding } from '../../features/questions/checks/bank-checks.schema.ts'
import { fileSentences } from '../../features/questions/formats/formats.copy.ts'
import {
  parseCourseMarkdown,
  parseExamMarkdown,
  type QuestionInFile,
} from '../../features/questions/formats/markdown/exam-markdown.ts'
import type { FileCode, FileFinding } from '../../features/questions/formats/formats.schema.ts'
import { verdictOf } from '../../features/questions/questions.ts'
import { type CourseFacts, ExamFacts } from '../../features/questions/questions.schema.ts'

export interface ContentCourse extends BankCourse, CourseFacts {
  title: string
  blueprint: CourseFacts['blueprint']
  file: string
  exams: ContentExam[]
}

export interface ContentExam extends BankExam, ExamFacts {
  title: string
  slug: string
  file: string
  questions: ContentQuestion[]
}

export interface ContentQuestion extends BankQuestion {
  line: number
}

/**
 * Reads the whole tree of courses: those that can be sold, their exams in order, and of each the questions that the bank
 * accepts. All else is in the findings, with file and line. Throws only when the folder itself can't be read.
 */
export async function readContent(dir: string): Promise<{ courses: ContentCourse[]; findings: Finding[] }> {
  const courses: ContentCourse[] = []
  const findings: Finding[] = []
  const folders = (await readdir(dir, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
  for (const folder of folders.sort(inFileOrder)) {
    const read = await readCourse(join(dir, folder), folder)
    if (read.course) courses.push(read.course)
    findings.push(...read.findings)
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
    findings.push({ ...place, ...fileFinding('folder-name', dir, slug) })
  }
  let facts: CourseFacts | null = null
  if (names.includes('course.md')) {
    const text = await readText(file)
    if (text.isRead) {
      const read = parseCourseMarkdown(text.text, file)
      facts = read.course
      findings.push(...read.findings.map((finding) => ({ ...place, ...finding })))
    } else findings.push({ ...place, ...fileFinding('file-unreadable', file, text.why) })
  } else findings.push({ ...place, ...fileFinding('course-file-missing', file) })

  const exams: ContentExam[] = []
  for (const name of names.filter((other) => other !== 'course.md')) {
    const read = await readExam(join(dir, name), slug)
    if (read.exam) exams.push(read.exam)
    findings.push(...read.findings)
  }
  exams.sort((a, b) => a.order - b.order)
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
  }
  return { course, findings }
}

async function readExam(file: string, courseSlug: string): Promise<{ exam: ContentExam | null; findings: Finding[] }> {
  const text = await readText(file)
  if (!text.isRead) {
    const finding = fileFinding('file-unreadable', file, text.why)
    return { exam: null, findings: [{ courseSlug, examSlug: '', questionId: '', ...finding }] }
  }
  const { exam, findings, questions } = parseExamMarkdown(text.text, file)
  const place = { courseSlug, examSlug: exam.slug, questionId: '' }
  const accepted = questions.flatMap(({ question, line }) => (question ? [{ question, line }] : []))
  return {
    exam: { ...exam, file, questions: accepted },
    findings: [
      ...findings.map((finding) => ({ ...place, ...finding })),
      ...questions.flatMap((read) => reasonFindings(read, file, place)),
    ],
  }
}

function reasonFindings(
  read: QuestionInFile,
  file: string,
  place: { courseSlug: string; examSlug: string },
): Finding[] {
  return (
    read.reasons
      // The checks of the bank say it too, for questions from anywhere.
      .filter(({ code }) => code !== 'explanation-empty' || read.verdict === 'refused')
      .map(({ code, sentence, line }) => ({
        code,
        severity: verdictOf[code] === 'refused' ? 'error' : 'warning',
        file,
        line: line ?? read.line,
        courseSlug: place.courseSlug,
        examSlug: place.examSlug,
        questionId: read.key,
        sentence,
      }))
  )
}

type Text = { isRead: true; text: string } | { isRead: false; why: string }

async function readText(file: string): Promise<Text> {
  try {
    return { isRead: true, text: new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file)) }
  } catch (problem) {
    if (problem instanceof TypeError) return { isRead: false, why: 'it is not UTF-8.' }
    return { isRead: false, why: problem instanceof Error ? problem.message : String(problem) }
  }
}

function fileFinding(code: FileCode, file: string, about = ''): FileFinding {
  return { code, severity: 'error', file, line: 1, sentence: fileSentences[code](about) }
}

/** The same on every machine, whatever its language. */
function inFileOrder(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
