import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId } from '../../../lib/ids.ts'
import type { ItemName } from './item-calibrations-queries.server.ts'
import type { ItemCalibration } from './item-calibration.schema.ts'

type Calibrated = {
  readonly courseId: CourseId
  readonly at: Date
  readonly responseCount: number
  readonly personCount: number
  readonly items: readonly (ItemName & ItemCalibration)[]
}

/** Replaces the calibration of a course. Every process drops what it has cached, pages included. */
export async function storeCalibration(db: Db, calibrated: Calibrated): Promise<void> {
  const { courseId, at, responseCount, personCount } = calibrated
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('course_calibrations').where('course_id', '=', courseId).execute()
    await tx
      .insertInto('course_calibrations')
      .values({ course_id: courseId, at, responses: responseCount, persons: personCount })
      .execute()
    // One statement for all items, so that the server is not held up by building thousands of parameters.
    await sql`
      insert into item_calibrations (course_id, family_id, question_id, answer_key, difficulty, deviation, responses)
      select ${courseId}, "familyId", "questionId", "answerKey", difficulty, deviation, "responseCount"
      from json_to_recordset(${JSON.stringify(calibrated.items)}::json) as item ("familyId" uuid, "questionId" text,
        "answerKey" text, difficulty float8, deviation float8, "responseCount" int)`.execute(tx)
    await sql`select pg_notify('catalogue_changes', '')`.execute(tx)
  })
}
