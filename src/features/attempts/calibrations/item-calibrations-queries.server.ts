import { createHash } from 'node:crypto'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId } from '../../../lib/ids.ts'
import { cachedQuery } from '../../../platform/cache/cached-queries.server.ts'
import { answerKeyOf } from '../../questions/types/grading-registry.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import type { ItemCalibration } from './item-calibration.schema.ts'

export type ItemName = { readonly familyId: string; readonly questionId: string; readonly answerKey: string }

/** Questions stay in memory, and a bank has thousands of them. */
const hashes = new WeakMap<Question, string>()

/** What is graded, as a short text: a question whose answer key changes is another item. */
export function hashAnswerKey(question: Question): string {
  const known = hashes.get(question)
  if (known !== undefined) return known
  const hash = createHash('sha256')
    .update(JSON.stringify(answerKeyOf(question)))
    .digest('base64url')
    .slice(0, 22)
  hashes.set(question, hash)
  return hash
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
    items(db).where('course_id', '=', courseId).execute(),
  ])
  return { at: course?.at.toISOString() ?? null, items: new Map(rows.map(toEntry)) }
}

/** Cached until the catalogue changes or the course is calibrated again, of which every process is notified. */
export const courseCalibration = cachedQuery('exam', getCourseCalibration)

/** The calibration of each of these questions of an exam; null for those without. */
export async function getItemCalibrations(
  db: Db,
  familyId: string,
  questions: readonly Question[],
): Promise<(ItemCalibration | null)[]> {
  const rows = await items(db).where('family_id', '=', familyId).execute()
  const known = new Map(rows.map(toEntry))
  return questions.map((question) => known.get(itemKeyOf(familyId, question)) ?? null)
}

function items(db: Db) {
  return db
    .selectFrom('item_calibrations')
    .select(['family_id', 'question_id', 'answer_key', 'difficulty', 'deviation', 'responses'])
}

function toEntry(row: Awaited<ReturnType<ReturnType<typeof items>['executeTakeFirstOrThrow']>>) {
  const key = keyOfItem({ familyId: row.family_id, questionId: row.question_id, answerKey: row.answer_key })
  return [key, { difficulty: row.difficulty, deviation: row.deviation, responseCount: row.responses }] as const
}
