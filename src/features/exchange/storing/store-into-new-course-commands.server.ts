import type { Db } from '../../../db/open.server.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { addCourse } from '../../catalogue/catalogue-commands.server.ts'
import type { ReadExam, StoredImport, Target } from '../imports/imports.schema.ts'
import { lockUntilCommit, type StoreRequest } from './import-parts-commands.server.ts'
import { storeIntoNewExams } from './store-into-new-exams-commands.server.ts'

/** Adds the course of the form, with one exam for each that the file names, or one for all questions. */
export async function storeIntoNewCourse(
  tx: Db,
  request: StoreRequest,
  into: Pick<Extract<Target, { kind: 'new-course' }>, 'course' | 'exam'> & { exams: readonly ReadExam[] },
): Promise<StoredImport> {
  await lockUntilCommit(tx, 'courses')
  const { title, description, category, price, status } = into.course
  const { actorId, now } = request
  const id = await addCourse(tx, {
    title,
    description,
    priceCents: price,
    category,
    blueprint: null,
    ownerId: actorId,
    status,
    now,
  })
  const after = { title, category, price, status }
  await audit(tx, { at: now, actorId, action: 'course.insert', table: 'courses', id, before: null, after })
  return storeIntoNewExams(tx, request, { courseId: id, exam: into.exam, exams: into.exams })
}
