import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'

/**
 * The keys of an exam stand still until the transaction ends: whoever grades by them holds them, with as many others as like.
 * Taken before any attempt is locked, always, so that nobody waits in a circle.
 */
export async function lockAnswerKeys(tx: Db, familyId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${`exam:${familyId}`}, 0))`.execute(tx)
}

/** Nobody else grades by, mends or publishes the exam until the transaction ends; waits for those who are at it. */
export async function lockExam(tx: Db, familyId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`exam:${familyId}`}, 0))`.execute(tx)
}

/** As `takeExam`, by the id of any of its versions. */
export async function lockExamOf(tx: Db, examId: string): Promise<void> {
  const row = await tx.selectFrom('test_questions').where('id', '=', examId).select('family_id').executeTakeFirst()
  if (row !== undefined) await lockExam(tx, row.family_id)
}

/** As `takeExam`, with every exam of a course. Whoever wants the course's row too takes it after them. */
export async function lockExamsOfCourse(tx: Db, courseId: string): Promise<void> {
  const rows = await tx
    .selectFrom('test_questions')
    .where('course_id', '=', courseId)
    .select('family_id')
    .distinct()
    .orderBy('family_id')
    .execute()
  for (const row of rows) await lockExam(tx, row.family_id)
}
