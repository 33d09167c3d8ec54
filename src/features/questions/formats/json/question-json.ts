import { DEFAULT_TYPE, toSpecification, typeOfGiven } from '../../types/content-registry.ts'
import { type FieldUse, useOfBodyField, useOfJsonField, withJsonTexts } from '../../types/format-registry.ts'
import { strToU8 } from 'fflate'
import { reason } from '../../questions.ts'
import { CourseFacts, ExamFacts, type Reason } from '../../questions.schema.ts'
import { fromBase64, toBase64 } from '../base64.ts'
import { lostPart, type LostPart } from '../lost-parts.schema.ts'
import { z } from 'zod'
import { StudySheet } from '../../study-sheet.schema.ts'
import { blueprintFields, blueprintOf, centsOf } from '../course-facts.ts'
import { findingStep, judged, type Reading } from '../parsed-question.ts'
import { readJson } from './json-tree.ts'
import { inOrderOfQuestions } from '../../case-studies/case-studies.ts'
import { readJsonCaseStudies } from './case-study-json.ts'
import { fieldsOf, isGiven } from './json-values.ts'
import { IMAGE_SCHEME, withAddresses } from '../../image-addresses.ts'
import type { AttachedImage, CourseToWrite, ExamToWrite, ReadStep, WrittenFile } from '../formats.schema.ts'

/** The name of our JSON. The version rises when a reader of the old one would misread the new one. */
const JSON_FORMAT = 'altocert-questions'
const JSON_VERSION = 1

/** Reads our JSON (docs/formats.md): exams with their questions as they are stored, or a bare list of questions. */
export function* readOwnJson(file: string, text: string, reading: Reading): Generator<ReadStep> {
  const { value, lineOf, problems, broken } = readJson(text)
  for (const { line, message } of problems) yield findingStep('file-unreadable', { file, line, about: message })
  const root = fieldsOf(value)
  const version = root.get('version')
  if (typeof version === 'number' && version > JSON_VERSION)
    yield findingStep('field-wrong', {
      file,
      about: `version: ${version} is newer than ${JSON_VERSION}`,
      severity: 'warning',
    })
  const courses = new Set<string>()
  for (const step of coursesOf(root.get('courses'), file, lineOf)) {
    if (step.kind === 'course') courses.add(step.slug)
    yield step
  }
  const exams = root.get('exams')
  const list: unknown[] = Array.isArray(exams) ? exams : [Array.isArray(value) ? { questions: value } : value]
  for (const exam of list) {
    const fields = fieldsOf(exam)
    const line = lineOf(exam)
    const course = fields.get('course_slug')
    const isKnown = typeof course === 'string' && courses.has(course)
    yield { kind: 'exam', file, facts: factsOf(fields), ...(isKnown ? { course } : {}) }
    yield* wrongFacts(fields, file, line)
    const pictures = imagesOf(fields.get('pictures'))
    const questions = fields.get('questions')
    const known = yield* readJsonCaseStudies(fields, { file, line, lineOf, pictures })
    if (!Array.isArray(questions) || questions.length === 0) yield findingStep('no-questions', { file, line })
    for (const question of Array.isArray(questions) ? questions : []) {
      yield readOwnQuestion(question, {
        file,
        line: lineOf(question),
        isBroken: broken.has(question),
        pictures,
        known,
        reading,
      })
    }
  }
}

export function writeJson(exams: ExamToWrite[], name: string): WrittenFile[] {
  const courses = new Map(
    exams.flatMap(({ course }): [string, CourseToWrite][] => (course ? [[course.slug, course]] : [])),
  )
  const written = exams.map(({ facts, courseTitle, course, caseStudies = [], questions, images }) => ({
    course: courseTitle,
    ...(course && { course_slug: course.slug }),
    title: facts.title,
    slug: facts.slug,
    order: facts.order,
    time_limit: facts.timeLimitMinutes,
    passing_score: facts.passingScore,
    free_trial: facts.isFreeTrial,
    ...(facts.scoringPolicy === 'partial' && { scoring: facts.scoringPolicy }),
    ...(caseStudies.length > 0 && { case_studies: inOrderOfQuestions(caseStudies, questions) }),
    questions: questions.map(toSpecification),
    ...(images.size > 0 && {
      pictures: [...images].map(([address, image]) => ({
        address,
        name: image.name,
        base64: toBase64(image.bytes),
      })),
    }),
  }))
  const head = { format: JSON_FORMAT, version: JSON_VERSION }
  const ofCourses = courses.size === 0 ? {} : { courses: [...courses.values()].map(courseFields) }
  const text = JSON.stringify({ ...head, ...ofCourses, exams: written }, null, 2)
  return [{ path: `${name}.json`, bytes: strToU8(`${text}\n`) }]
}

function courseFields({
  slug,
  facts: { title, category, priceCents, description, blueprint, imageUrl },
  sheets = [],
}: CourseToWrite) {
  return {
    slug,
    title,
    ...(category !== null && { category }),
    price: priceCents / 100,
    ...(imageUrl !== '' && { image: imageUrl }),
    description,
    ...(blueprint && { blueprint: blueprintFields(blueprint) }),
    ...(sheets.length > 0 && { study_sheets: sheets }),
  }
}

const NamedCourse = CourseFacts.extend({
  slug: ExamFacts.shape.slug,
  sheets: z.array(StudySheet).max(1000).optional(),
})

/** An invalid course is reported, and its exams are read as if they named no course. */
function* coursesOf(list: unknown, file: string, lineOf: (value: unknown) => number): Generator<ReadStep> {
  for (const value of Array.isArray(list) ? list : []) {
    const {
      slug,
      title,
      category = null,
      price,
      image,
      description = '',
      blueprint = null,
      study_sheets: sheets,
    } = Object.fromEntries(fieldsOf(value))
    const parsed = NamedCourse.safeParse({
      slug,
      title,
      category,
      priceCents: centsOf(price),
      imageUrl: image,
      description,
      blueprint: blueprint === null ? null : blueprintOf(blueprint),
      sheets,
    })
    if (parsed.success) {
      const { slug: named, sheets: read, ...facts } = parsed.data
      yield { kind: 'course', file, slug: named, facts, ...(read && { sheets: read }) }
      continue
    }
    const about = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`).join('; ')
    yield findingStep('field-wrong', { file, line: lineOf(value), about: `courses: ${about}` })
  }
}

const EXAM_FIELDS = {
  title: 'title',
  slug: 'slug',
  order: 'order',
  time_limit: 'timeLimitMinutes',
  passing_score: 'passingScore',
  free_trial: 'isFreeTrial',
  scoring: 'scoringPolicy',
} as const satisfies Record<string, keyof ExamFacts>

function factsOf(fields: Map<string, unknown>): Partial<ExamFacts> {
  const named = Object.entries(EXAM_FIELDS).flatMap(([name, fact]) => {
    const parsed = ExamFacts.shape[fact].safeParse(fields.get(name))
    return parsed.success && parsed.data !== undefined ? [[fact, parsed.data]] : []
  })
  return Object.fromEntries(named)
}

const OTHER_FIELDS = new Set([
  'format',
  'version',
  'course',
  'course_slug',
  'courses',
  'case_studies',
  'questions',
  'pictures',
  'exams',
])

function* wrongFacts(fields: Map<string, unknown>, file: string, line: number): Generator<ReadStep> {
  for (const [name, value] of fields) {
    const fact = Object.entries(EXAM_FIELDS).find(([known]) => known === name)?.[1]
    if (fact === undefined) {
      if (!OTHER_FIELDS.has(name)) yield findingStep('field-unknown', { file, line, about: name, severity: 'warning' })
      continue
    }
    const parsed = ExamFacts.shape[fact].safeParse(value)
    const about = parsed.error?.issues.map(({ message }) => message).join('; ') ?? ''
    if (!parsed.success) yield findingStep('field-wrong', { file, line, about: `${name}: ${about}` })
  }
}

function imagesOf(value: unknown): Map<string, AttachedImage> {
  const pictures = new Map<string, AttachedImage>()
  for (const entry of Array.isArray(value) ? value : []) {
    const { address, name, base64 } = Object.fromEntries(fieldsOf(entry))
    if (typeof address !== 'string' || typeof name !== 'string' || typeof base64 !== 'string') continue
    const bytes = fromBase64(base64)
    if (bytes) pictures.set(address, { name, bytes })
  }
  return pictures
}

/** @param about where the question stands, the images that its texts may show, and what else is known of it */
export function readOwnQuestion(
  value: unknown,
  about: {
    file: string
    line: number
    isBroken: boolean
    pictures: ReadonlyMap<string, AttachedImage>
    /** The keys of the case studies that the exam has; a question that names another one is read by itself. */
    known: ReadonlySet<string>
    reading: Reading
    reasons?: Reason[]
    lost?: LostPart[]
  },
): ReadStep {
  const { file, line, isBroken, known, reading } = about
  const fields = fieldsOf(value)
  const shown = new Set<AttachedImage>()
  const withImages = (text: string) =>
    withAddresses(text, (address) => {
      const image = about.pictures.get(address)
      if (!image) return undefined
      shown.add(image)
      return IMAGE_SCHEME + image.name
    })
  const input: Record<string, unknown> = {}
  for (const [name, field] of fields) {
    const isText = typeof field === 'string' && (name === 'question' || name === 'explanation')
    input[name] = isText ? withImages(field) : withJsonTexts(fields.get('type'), name, field, withImages)
  }
  const uses = fieldUses(fields)
  const lost = [
    ...uses.filter(([, use]) => use === 'unknown').map(([name]) => lostPart('field', name)),
    ...(about.lost ?? []),
  ]
  const id = fields.get('id')
  const key = typeof id === 'string' ? id : ''
  const broken = isBroken ? [reason('syntax-broken', '', 'the JSON of this question is not whole', line)] : []
  const unused = uses.filter(([, use]) => use === 'unused').map(([name]) => reason('fact-unused', name, name, line))
  const reasons = [...broken, ...unused, ...(about.reasons ?? [])]
  const caseStudy = input['case_study']
  if (typeof caseStudy === 'string' && caseStudy !== '' && !known.has(caseStudy)) {
    delete input['case_study']
    reasons.push(reason('case-study-unknown', 'case_study', caseStudy, line))
  }
  return {
    kind: 'question',
    question: judged({ file, line, key, input, reasons, lost, images: [...shown] }, reading),
  }
}

/** What the fields of a question and of its `body` mean in its type. An empty field of another type does no harm. */
function fieldUses(fields: Map<string, unknown>): [string, FieldUse][] {
  const type = typeOfGiven(fields.get('type'))
  const given = (of: Map<string, unknown>) => [...of.keys()].filter((name) => isGiven(of.get(name)))
  const unknown = [...fields.keys()].filter((name) => useOfJsonField(name, DEFAULT_TYPE) === 'unknown')
  const uses = unknown.map((name): [string, FieldUse] => [name, 'unknown'])
  // A question of no known type is refused for that alone.
  if (type === null) return uses
  for (const name of given(fields)) if (useOfJsonField(name, type) === 'unused') uses.push([name, 'unused'])
  for (const name of given(fieldsOf(fields.get('body')))) uses.push([`body.${name}`, useOfBodyField(name, type)])
  return uses
}
