import type { Db } from '../../../db/open.server.ts'
import type { StudySheet } from '../../questions/study-sheet.schema.ts'

/** Stores a sheet of a course, in place of the one with its slug. */
export async function storeStudySheet(tx: Db, courseId: string, sheet: StudySheet, now: Date): Promise<void> {
  const columns = columnsOf(sheet, now)
  await tx
    .insertInto('study_sheets')
    .values({ course_id: courseId, slug: sheet.slug, ...columns })
    .onConflict((conflict) => conflict.columns(['course_id', 'slug']).doUpdateSet(columns))
    .execute()
}

/** Adds the sheets that a course does not have. */
export async function addMissingSheets(
  tx: Db,
  courseId: string,
  sheets: readonly StudySheet[],
  now: Date,
): Promise<void> {
  if (sheets.length === 0) return
  await tx
    .insertInto('study_sheets')
    .values(sheets.map((sheet) => ({ course_id: courseId, slug: sheet.slug, ...columnsOf(sheet, now) })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function columnsOf({ order, domain, guide, verifiedOn, sources, body }: StudySheet, now: Date) {
  return {
    position: order,
    domain,
    guide,
    verified_on: verifiedOn,
    sources: JSON.stringify(sources),
    body,
    updated_at: now,
  }
}
