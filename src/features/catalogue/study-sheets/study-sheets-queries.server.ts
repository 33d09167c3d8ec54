import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import { cachedQuery } from '../../../platform/cache/cached-queries.server.ts'
import type { StudySheet } from '../../questions/study-sheet.schema.ts'
import type { SheetSummary } from './study-sheets.ts'

/** Every study sheet of a course in order, with its text. Who may read which is for the caller to decide. */
export async function listStudySheets(db: Db, courseId: string): Promise<StudySheet[]> {
  const rows = await db
    .selectFrom('study_sheets')
    .where('course_id', '=', courseId)
    .orderBy('position')
    .orderBy('slug')
    .select(['slug', 'position', 'domain', 'guide', 'sources', 'body'])
    .select(sql<string | null>`verified_on::text`.as('verified_on'))
    .execute()
  return rows.map(({ position: order, verified_on: verifiedOn, sources, ...row }) => ({
    ...row,
    order,
    verifiedOn,
    sources: z.array(z.string()).parse(sources),
  }))
}

async function readSummaries(db: Db, courseId: string): Promise<SheetSummary[]> {
  const sheets = await db
    .selectFrom('study_sheets')
    .where('course_id', '=', courseId)
    .orderBy('position')
    .orderBy('slug')
    .select(['slug', 'domain'])
    .execute()
  return sheets.map((sheet, place) => ({ ...sheet, isFree: place === 0 }))
}

/** The names of a course's sheets, cached until the catalogue changes. The first one is free for everybody. */
export const sheetSummaries = cachedQuery('course-detail', readSummaries)
