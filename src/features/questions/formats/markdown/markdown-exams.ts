import { strToU8 } from 'fflate'
import { reason, withReasons } from '../../questions.ts'
import { caseStudyTexts } from '../../case-studies/case-studies.ts'
import type { CaseStudy } from '../../case-studies/case-study.schema.ts'
import type { StudySheet } from '../../study-sheet.schema.ts'
import { findingStep, type Reading, withEarlier } from '../parsed-question.ts'
import {
  isCourseMarkdown,
  parseCourseMarkdown,
  parseExamMarkdown,
  printCourseMarkdown,
  printExamMarkdown,
  slugOf,
  type QuestionInFile,
} from './exam-markdown.ts'
import { isStudySheet, parseStudySheet, printStudySheet, sheetPath } from './study-sheet-markdown.ts'
import { isPathAmongFiles, resolvePath, readImage } from '../bank-images.ts'
import { IMAGE_SCHEME, shownImages, withAddresses } from '../../image-addresses.ts'
import { ExamFacts } from '../../questions.schema.ts'
import type { AttachedImage, CourseToWrite, ExamToWrite, ReadStep, WrittenFile } from '../formats.schema.ts'

type Text = { readonly file: string; readonly text: string }

/** Reads our own Markdown (docs/content-format.md): courses, and the exams in their folders. */
export function* readOwnMarkdown(texts: readonly Text[], reading: Reading): Generator<ReadStep> {
  const courses = new Map<string, string>()
  const sheetTexts = texts.filter(({ text }) => isStudySheet(text))
  for (const { file, text } of texts.filter((one) => isCourseMarkdown(one.text))) {
    const { course: facts, findings } = parseCourseMarkdown(text, file)
    for (const finding of findings) yield { kind: 'finding', finding }
    if (facts === null) continue
    const slug = courseSlugOf(file, facts.title)
    courses.set(folderOf(file), slug)
    const ofCourse = sheetTexts.filter((one) => one.file.startsWith(`${folderOf(file)}study/`))
    const domains = facts.blueprint?.domains.map(({ name }) => name) ?? null
    const parsed = ofCourse.map((one) => parseStudySheet(one.text, one.file, domains))
    for (const finding of parsed.flatMap(({ findings: found }) => found)) yield { kind: 'finding', finding }
    const sheets = parsed.flatMap(({ sheet }): StudySheet[] => (sheet === null ? [] : [sheet]))
    yield { kind: 'course', file, slug, facts, ...(sheets.length > 0 && { sheets }) }
  }
  for (const { file } of sheetTexts)
    if (!courses.has(folderOf(file).replace(/study\/$/, '')))
      yield findingStep('files-left-aside', { file, about: file, severity: 'warning' })
  for (const { file, text } of texts)
    if (!isCourseMarkdown(text) && !isStudySheet(text))
      yield* readExam(file, text, reading, courses.get(folderOf(file)))
}

const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/') + 1)

/** The slug of a course is the name of its folder, or made from its title if there is no usable name. */
function courseSlugOf(file: string, title: string): string {
  const named = ExamFacts.shape.slug.safeParse(folderOf(file).split('/').at(-2))
  return named.success ? named.data : slugOf(title) || 'course'
}

/** An exam with the images beside its file. */
function* readExam(file: string, text: string, reading: Reading, course: string | undefined): Generator<ReadStep> {
  const images: AttachedImage[] = []
  const withImages = withAddresses(text, (address) => {
    const path = isPathAmongFiles(address) ? resolvePath(file, address) : ''
    const image = reading.files.get(path)
    if (!image) return undefined
    reading.used.add(path)
    return readImage(images, path.split('/').at(-1) ?? path, image.bytes)
  })
  const { exam, findings, caseStudies, questions } = parseExamMarkdown(withImages, file, { areKeysCompared: false })
  yield { kind: 'exam', file, facts: exam, ...(course === undefined ? {} : { course }) }
  for (const finding of findings) yield { kind: 'finding', finding }
  for (const { caseStudy, line } of caseStudies) yield* caseStudySteps(caseStudy, { file, line, images })
  for (const question of questions) yield questionOf(question, { file, images, reading })
}

function* caseStudySteps(
  caseStudy: CaseStudy,
  { file, line, images }: { file: string; line: number; images: readonly AttachedImage[] },
): Generator<ReadStep> {
  const shown = new Set(caseStudyTexts(caseStudy).flatMap(shownImages))
  for (const about of [...shown].filter(isPathAmongFiles))
    yield findingStep('case-study-picture-missing', { file, line, about, severity: 'warning' })
  const own = images.filter(({ name }) => shown.has(IMAGE_SCHEME + name))
  yield { kind: 'case-study', file, line, caseStudy, images: own }
}

/** A file for each exam, in the folder of its course if that is exported too. */
export function writeOwnMarkdown(exams: readonly ExamToWrite[]): WrittenFile[] {
  const courses = new Map(
    exams.flatMap(({ course }): [string, CourseToWrite][] => (course ? [[course.slug, course]] : [])),
  )
  const ofCourses = [...courses.values()].flatMap(({ slug, facts, sheets = [] }) => [
    { path: `${slug}/course.md`, bytes: strToU8(printCourseMarkdown(facts)) },
    ...sheets.map((sheet) => ({ path: `${slug}/${sheetPath(sheet)}`, bytes: strToU8(printStudySheet(sheet)) })),
  ])
  const ofExams = exams.flatMap((exam) => {
    const name = exam.facts.slug === 'course' ? 'course-exam' : exam.facts.slug
    return writeExam(exam, `${exam.course === undefined ? '' : `${exam.course.slug}/`}${name}.md`)
  })
  return [...ofCourses, ...ofExams]
}

function writeExam(exam: ExamToWrite, path: string): WrittenFile[] {
  const shown = new Map([...exam.images].map(([address, image]) => [address, `pictures/${image.name}`]))
  const text = withAddresses(printExamMarkdown(exam.facts, exam.questions, exam.caseStudies), (address) =>
    shown.get(address),
  )
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : ''
  const images = [...exam.images.values()].map(({ name, bytes }) => ({ path: `${folder}pictures/${name}`, bytes }))
  return [{ path, bytes: strToU8(text) }, ...images]
}

/** The texts of a field. Types have them in lists and objects. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function questionOf(
  read: QuestionInFile,
  { file, images, reading }: { file: string; images: AttachedImage[]; reading: Reading },
): ReadStep {
  const { key, line, input, ...judgement } = read
  const shown = new Set(Object.values(input).flatMap(textsIn).flatMap(shownImages))
  const reasons = [...shown]
    .filter(isPathAmongFiles)
    .map((address) => reason('picture-missing', 'question', address, line))
  return {
    kind: 'question',
    question: {
      ...withEarlier(withReasons(judgement, reasons), { file, line, key }, reading),
      file,
      line,
      key,
      input,
      lost: [],
      images: images.filter(({ name }) => shown.has(IMAGE_SCHEME + name)),
    },
  }
}
