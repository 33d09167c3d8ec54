import { createHash } from 'node:crypto'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId } from '../../../lib/ids.ts'
import { cachedQuery } from '../../../platform/cache/cached-queries.server.ts'
import { answerKeyOf } from '../../questions/types/grading-registry.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'

/** How hard a question is, in logits: 0 is an author's "medium". */
export type ItemCalibration = {
  readonly difficulty: number
  /** The standard error of the difficulty. */
  readonly deviation: number
  /** The answers that it rests on. Without any, the difficulty is that of the author's label. */
  readonly responseCount: number
}

export type ItemName = { readonly familyId: string; readonly questionId: string; readonly answerKey: string }

/** What is graded, as a short text: a question whose answer key changes is another item. */
export function hashAnswerKey(question: Question): string {
  return createHash('sha256')
    .update(JSON.stringify(answerKeyOf(question)))
    .digest('base64url')
    .slice(0, 22)
}

/** Identifies an item in all versions of its exam. */
export function itemKeyOf(familyId: string, question: Question): string {
  return keyOfItem({ familyId, questionId: question.id, answerKey: hashAnswerKey(question) })
}

export function keyOfItem({ familyId, questionId, answerKey }: ItemName): string {
  return `${familyId} ${questionId} ${answerKey}`
}

/** The last calibration of a course: empty until there is one. */
export type CourseCalibration = {
  readonly at: string | null
  /** By item key. */
  readonly items: ReadonlyMap<string, ItemCalibration>
}

export async function getCourseCalibration(db: Db, courseId: CourseId): Promise<CourseCalibration> {
  const [course, rows] = await Promise.all([
    db.selectFrom('course_calibrations').where('course_id', '=', courseId).select('at').executeTakeFirst(),
    db
      .selectFrom('item_calibrations')
      .where('course_id', '=', courseId)
      .select(['family_id', 'question_id', 'answer_key', 'difficulty', 'deviation', 'responses'])
      .execute(),
  ])
  return {
    at: course?.at.toISOString() ?? null,
    items: new Map(
      rows.map((row) => [
        keyOfItem({ familyId: row.family_id, questionId: row.question_id, answerKey: row.answer_key }),
        { difficulty: row.difficulty, deviation: row.deviation, responseCount: row.responses },
      ]),
    ),
  }
}

/** Cached until the catalogue changes or the course is calibrated again, of which every process is notified. */
export const courseCalibration = cachedQuery('exam', getCourseCalibration)
