import type { Db } from '../../../db/open.server.ts'
import type { CourseId } from '../../../lib/ids.ts'
import { fail } from '../../catalogue/catalogue.schema.ts'
import type { ReadExam, StoredImport, Target } from '../imports/imports.schema.ts'
import {
  addExamsWith,
  getLastPosition,
  lockUntilCommit,
  toStoredImport,
  verdictsOf,
  type StoredExam,
  type StoreRequest,
} from './import-parts-commands.server.ts'
import { listPlacesByExam } from './store-import-queries.server.ts'

/** Adds one exam for each that the file names, or one for all questions, to an existing course. @throws Failure course.not-found */
export async function storeIntoNewExams(
  tx: Db,
  request: StoreRequest,
  into: { courseId: string; exam: Extract<Target, { kind: 'new-exam' }>['exam']; exams: readonly ReadExam[] },
): Promise<StoredImport> {
  await lockUntilCommit(tx, 'exams')
  const courseId = into.courseId as CourseId
  const course = await tx
    .selectFrom('courses')
    .where('id', '=', courseId)
    .select('category')
    .forShare()
    .executeTakeFirst()
  if (course === undefined) throw fail('course.not-found')
  const groups = await listPlacesByExam(tx, { importId: request.importId, verdicts: verdictsOf(request) })
  const lastPosition = await getLastPosition(tx, courseId)
  const stored: StoredExam[] = []
  for (const { examPlace, places } of groups) {
    const facts = into.exams[examPlace - 1]?.facts ?? {}
    // With one exam the form overrides the file; with several the file overrides the form.
    const exam = groups.length > 1 ? { ...into.exam, ...facts } : { ...facts, ...into.exam }
    const position = lastPosition + stored.length + 1
    stored.push(...(await addExamsWith(tx, request, { courseId, exam, category: course.category, position, places })))
  }
  return toStoredImport(stored, courseId)
}
