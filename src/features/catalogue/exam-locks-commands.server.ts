import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'

/**
 * Takes a shared lock on an exam's answer keys until the transaction ends. Grading takes it, always before it locks an attempt, to
 * avoid deadlocks.
 */
export async function lockAnswerKeys(tx: Db, familyId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${`exam:${familyId}`}, 0))`.execute(tx)
}

/** Takes the exclusive lock of an exam until the transaction ends: nobody else grades, corrects or publishes it meanwhile. */
export async function lockExam(tx: Db, familyId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`exam:${familyId}`}, 0))`.execute(tx)
}

/**
 * As `lockExam`, for several exams in a fixed order. A change of several exams first locks all of them this way, to avoid
 * deadlocks.
 */
export async function lockExams(tx: Db, familyIds: readonly string[]): Promise<void> {
  for (const familyId of [...new Set(familyIds)].toSorted()) await lockExam(tx, familyId)
}

/** As `lockExam`, by the id of any version of the exam. */
export async function lockExamOf(tx: Db, examId: string): Promise<void> {
  const row = await tx.selectFrom('test_questions').where('id', '=', examId).select('family_id').executeTakeFirst()
  if (row !== undefined) await lockExam(tx, row.family_id)
}

/** As `lockExam`, for every exam of a course. Lock the course's row after this, to avoid deadlocks. */
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
