import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import { examSlug } from '../../../lib/slug.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { mergeIntoDraft } from '../../authoring/drafts/drafts-commands.server.ts'
import { getCurrentExam } from '../../authoring/drafts/drafts-queries.server.ts'
import { MAX_QUESTIONS } from '../../authoring/drafts/drafts.ts'
import type { Category } from '../../catalogue/catalogue.ts'
import { addExam } from '../../catalogue/catalogue-commands.server.ts'
import type { ExamFacts } from '../../questions/questions.schema.ts'
import { z } from 'zod'
import { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { ReadExam, type ReadCourse, type StoredImport, type Target } from '../imports/imports.schema.ts'
import { withStoredImages } from './store-images-commands.server.ts'
import { questionsAt } from './store-import-queries.server.ts'

/** What every destination needs: locks, audit entries, and questions put into a draft or a new exam. */

/** `actorId` is null when the command line acts. */
export type ImportAction = { readonly importId: string; readonly actorId: UserId | null; readonly now: Date }
export type StoreRequest = ImportAction & { readonly target: Target; readonly withReview: boolean }
/** What the file describes besides its questions. */
export type FileContents = { readonly courses: readonly ReadCourse[]; readonly exams: readonly ReadExam[] }
export type StoredExam = StoredImport['exams'][number]
type NewExam = Partial<ExamFacts> & Pick<ExamFacts, 'title' | 'timeLimitMinutes' | 'passingScore'>

export async function lockUntilCommit(tx: Db, name: 'imports' | 'courses' | 'exams'): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

export async function auditImport(tx: Db, by: ImportAction, action: string, after: object): Promise<void> {
  const { importId: id, actorId, now } = by
  await audit(tx, { at: now, actorId, action, table: 'imports', id, before: null, after })
}

/** The verdicts of new questions that a request stores. */
export const verdictsOf = ({ withReview }: StoreRequest) => (withReview ? ['good', 'needs-review'] : ['good'])

/** Stores the questions at these places of the import in the draft of an exam. @throws Failure exam.not-found, draft.full */
export async function storeInDraft(
  tx: Db,
  by: ImportAction,
  familyId: string,
  places: readonly number[],
): Promise<StoredExam> {
  const { importId, actorId, now } = by
  const questions = questionsAt({ importId, places })
  const caseStudies = await caseStudiesAt(tx, by, places)
  const { added, changed } = await mergeIntoDraft(tx, { examId: familyId, questions, caseStudies, actorId, now })
  await markStored(tx, { importId, places, familyId })
  const { settings } = await getCurrentExam(tx, familyId)
  return { id: familyId, title: settings.title, added, changed }
}

/** Adds an exam with the questions at these places, or several where they are more than one exam can hold. */
export async function addExamsWith(
  tx: Db,
  by: ImportAction,
  add: {
    courseId: CourseId
    exam: NewExam
    category: Category | null
    /** Of the first one in its course. */
    position: number
    places: readonly number[]
  },
): Promise<StoredExam[]> {
  const { importId, actorId, now } = by
  const { courseId, exam, category } = add
  const stored: StoredExam[] = []
  const parts = inParts(add.places, MAX_QUESTIONS)
  for (const [index, places] of parts.entries()) {
    const title = parts.length === 1 ? exam.title : withNumber(exam.title, index + 1)
    // Before the questions are read: one whose case study loses an image needs review.
    const caseStudies = await caseStudiesAt(tx, by, places)
    const id = await addExam(tx, {
      courseId,
      title,
      slug: examSlug({ title, ...(exam.slug === undefined ? {} : { slug: exam.slug }) }, now),
      questions: questionsAt({ importId, places }),
      caseStudies,
      passingScore: exam.passingScore,
      timeLimitMinutes: exam.timeLimitMinutes,
      isFreeTrial: exam.isFreeTrial ?? false,
      ...(exam.scoringPolicy === undefined ? {} : { scoringPolicy: exam.scoringPolicy }),
      position: add.position + index,
      category,
      now,
    })
    const after = { title, questions: places.length, import: importId }
    await audit(tx, { at: now, actorId, action: 'exam.insert', table: 'test_questions', id, before: null, after })
    await markStored(tx, { importId, places, familyId: id })
    stored.push({ id, title, added: places.length, changed: 0 })
  }
  return stored
}

/** The case studies that the questions at these places name. */
async function caseStudiesAt(tx: Db, by: ImportAction, places: readonly number[]): Promise<CaseStudy[]> {
  const { rows } = await sql<{ examPlace: number; id: string; place: number }>`
    select exam_place as "examPlace", question ->> 'caseStudy' as id, min(place)::int as place from import_questions
    where import_id = ${by.importId} and place = any(${places}::int[]) and question ->> 'caseStudy' is not null
    group by exam_place, question ->> 'caseStudy' order by min(place)`.execute(tx)
  if (rows.length === 0) return []
  const stored = await tx
    .selectFrom('imports')
    .where('id', '=', by.importId)
    .select(['exams', 'case_studies'])
    .executeTakeFirstOrThrow()
  const exams = z.array(ReadExam).parse(stored.exams)
  const ofNoExam = z.array(CaseStudy).parse(stored.case_studies)
  const found = new Map<string, CaseStudy>()
  for (const { examPlace, id, place } of rows) {
    const read = examPlace === 0 ? ofNoExam : (exams[examPlace - 1]?.caseStudies ?? [])
    const caseStudy = read.find((one) => one.id === id)
    if (caseStudy !== undefined && !found.has(id)) found.set(id, await withStoredImages(tx, by, { caseStudy, place }))
  }
  return [...found.values()]
}

/** The position of the last exam of a course; 0 where it has none. */
export async function getLastPosition(tx: Db, courseId: CourseId): Promise<number> {
  const { last } = await tx
    .selectFrom('test_questions')
    .where('course_id', '=', courseId)
    .select((eb) => eb.fn.max('position').as('last'))
    .executeTakeFirstOrThrow()
  return Number(last ?? 0)
}

export function toStoredImport(exams: StoredExam[], courseId: string | null): StoredImport {
  const sum = (name: 'added' | 'changed') => exams.reduce((total, exam) => total + exam[name], 0)
  return { added: sum('added'), changed: sum('changed'), exams, courseId }
}

async function markStored(tx: Db, stored: { importId: string; places: readonly number[]; familyId: string }) {
  await sql`
    update import_questions
    set outcome = 'stored', there_family_id = ${stored.familyId}, there_question_id = question ->> 'id'
    where import_id = ${stored.importId} and place = any(${stored.places}::int[])`.execute(tx)
}

function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}

/** Titles have at most 199 characters. */
function withNumber(title: string, number: number): string {
  return `${title.slice(0, 190)} (${number})`
}
