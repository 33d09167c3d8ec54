import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import { matchWithBank } from '../dry-run/dry-run-commands.server.ts'
import { isOwnFormat } from '../imports/imports.ts'
import { fail, ReadCourse, ReadExam, type StoredImport } from '../imports/imports.schema.ts'
import { auditImport, lockUntilCommit } from './import-parts-commands.server.ts'
import type { FileContents, StoreRequest } from './import-parts-commands.server.ts'
import { storeIntoExam } from './store-into-exam-commands.server.ts'
import { storeIntoHoldingExams } from './store-into-holding-exams-commands.server.ts'
import { storeIntoNewCourse } from './store-into-new-course-commands.server.ts'
import { storeIntoNewExams } from './store-into-new-exams-commands.server.ts'
import { storeIntoOwnCourses } from './store-into-own-courses-commands.server.ts'
import { storeImages } from './store-images-commands.server.ts'

/**
 * Stores the questions of an import at the destination that the admin chose: the good ones and, on request, those that need
 * review. Questions that the bank already has are left out, so storing twice, or importing a file twice, changes nothing.
 * @throws Failure import.missing, import.unread, import.nothing, course.not-found, exam.not-found, draft.full
 */
export async function storeImport(db: Db, request: StoreRequest): Promise<StoredImport> {
  return db.transaction().execute(async (tx) => {
    // Two transactions that store the same file at the same time do not see each other's questions.
    await lockUntilCommit(tx, 'imports')
    const { importId, now } = request
    const { format, ...contents } = await getReadImportForUpdate(tx, importId)
    await storeImages(tx, request)
    await matchWithBank(tx, importId, isOwnFormat(format))
    const stored = await storeAtTarget(tx, request, contents)
    if (stored.exams.length === 0) throw fail('import.nothing')
    const { courseId, added, changed, exams } = stored
    const target_family_id = exams.length === 1 ? (exams[0]?.id ?? null) : null
    await tx
      .updateTable('imports')
      .set({ stored_at: now, updated_at: now, target_course_id: courseId, target_family_id })
      .where('id', '=', importId)
      .execute()
    const after = { target: request.target.kind, added, changed, exams: exams.map(({ id }) => id) }
    await auditImport(tx, request, 'import.store', after)
    return stored
  })
}

/**
 * The import, locked until the transaction ends.
 * @throws Failure import.missing, import.unread
 */
export async function getReadImportForUpdate(tx: Db, importId: string) {
  const row = await tx
    .selectFrom('imports')
    .where('id', '=', importId)
    .select(['state', 'format', 'courses', 'exams', 'target_family_id'])
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw fail('import.missing')
  if (row.state !== 'read') throw fail('import.unread')
  return {
    format: row.format,
    courses: z.array(ReadCourse).parse(row.courses),
    exams: z.array(ReadExam).parse(row.exams),
    targetFamilyId: row.target_family_id,
  }
}

function storeAtTarget(tx: Db, request: StoreRequest, { courses, exams }: FileContents): Promise<StoredImport> {
  const { target } = request
  switch (target.kind) {
    case 'exam':
      return storeIntoExam(tx, request, target.examId)
    case 'new-exam':
      return storeIntoNewExams(tx, request, { ...target, exams })
    case 'new-course':
      return storeIntoNewCourse(tx, request, { ...target, exams })
    case 'own-places':
      return storeIntoHoldingExams(tx, request, exams)
    case 'own-courses':
      return storeIntoOwnCourses(tx, request, { ...target, courses, exams })
  }
}
