import type { Db } from '../../../db/open.server.ts'
import type { CourseId } from '../../../lib/ids.ts'
import { cents } from '../../../lib/money.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { lockExams } from '../../catalogue/exam-locks-commands.server.ts'
import { addMissingSheets } from '../../catalogue/study-sheets/study-sheets-commands.server.ts'
import { addCourse } from '../../catalogue/catalogue-commands.server.ts'
import type { ReadCourse, ReadExam, StoredImport } from '../imports/imports.schema.ts'
import {
  addExamsWith,
  getLastPosition,
  lockUntilCommit,
  storeInDraft,
  toStoredImport,
  verdictsOf,
  type FileContents,
  type ImportAction,
  type StoredExam,
  type StoreRequest,
} from './import-parts-commands.server.ts'
import {
  findCourseBySlug,
  findFamilyInCourse,
  listChangedByFamily,
  listPlacesByExam,
} from './store-import-queries.server.ts'

type Status = 'draft' | 'published'

/**
 * Adds each course that the file describes, with its exams; a course that exists by its slug receives what it lacks. Questions
 * that the file puts into no course stay open for another destination.
 */
export async function storeIntoOwnCourses(
  tx: Db,
  request: StoreRequest,
  { status, courses, exams }: FileContents & { status: Status },
): Promise<StoredImport> {
  await lockUntilCommit(tx, 'courses')
  await lockUntilCommit(tx, 'exams')
  const groups = await listPlacesByExam(tx, { importId: request.importId, verdicts: verdictsOf(request) })
  const changed = await listChangedByFamily(tx, request.importId)
  const filled = await listFilledFamilies(tx, exams)
  await lockExams(tx, [...changed.map(({ familyId }) => familyId), ...filled])
  const stored: StoredExam[] = []
  const courseIds: CourseId[] = []
  for (const course of courses) {
    const ownGroups = groups.flatMap(({ examPlace, places }) => {
      const exam = exams[examPlace - 1]
      return exam?.course === course.slug ? [{ facts: exam.facts, places }] : []
    })
    if (ownGroups.length === 0) continue
    const existingId = (await findCourseBySlug(tx, course.slug)) as CourseId | null
    const courseId = existingId ?? (await addDescribedCourse(tx, request, status, course))
    courseIds.push(courseId)
    await addMissingSheets(tx, courseId, course.sheets ?? [], request.now)
    for (const group of ownGroups) stored.push(...(await storeGroup(tx, request, { courseId, course, ...group })))
  }
  for (const { familyId, places } of changed) stored.push(await storeInDraft(tx, request, familyId, places))
  return toStoredImport(stored, courseIds.length === 1 ? (courseIds[0] ?? null) : null)
}

/** The existing exams that the file adds to. */
async function listFilledFamilies(tx: Db, exams: readonly ReadExam[]): Promise<string[]> {
  const families: string[] = []
  for (const { course, facts } of exams) {
    const courseId = course === null ? null : await findCourseBySlug(tx, course)
    if (courseId === null || facts.slug === undefined) continue
    const familyId = await findFamilyInCourse(tx, facts.slug, courseId)
    if (familyId !== null) families.push(familyId)
  }
  return families
}

/** Stores the questions of one exam of the file: in the draft of the course's exam with its slug, or else in a new exam. */
async function storeGroup(
  tx: Db,
  by: ImportAction,
  group: { courseId: CourseId; course: ReadCourse; facts: ReadExam['facts']; places: readonly number[] },
): Promise<StoredExam[]> {
  const { courseId, facts, places } = group
  const { title, category } = group.course.facts
  const familyId = facts.slug === undefined ? null : await findFamilyInCourse(tx, facts.slug, courseId)
  if (familyId !== null) return [await storeInDraft(tx, by, familyId, places)]
  const exam = { title, timeLimitMinutes: 60, passingScore: 70, ...facts }
  const position = facts.order ?? (await getLastPosition(tx, courseId)) + 1
  return addExamsWith(tx, by, { courseId, exam, category, position, places })
}

async function addDescribedCourse(
  tx: Db,
  { actorId, now }: ImportAction,
  status: Status,
  { slug, facts }: ReadCourse,
): Promise<CourseId> {
  const { title, description, priceCents, category, blueprint, imageUrl } = facts
  const price = cents(priceCents)
  const course = { title, description, priceCents: price, category, blueprint, imageUrl, slug, status }
  const id = await addCourse(tx, { ...course, ownerId: actorId, now })
  await audit(tx, { at: now, actorId, action: 'course.insert', table: 'courses', id, before: null, after: course })
  return id
}
