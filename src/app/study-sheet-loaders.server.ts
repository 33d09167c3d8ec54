import { askAccess } from '../features/access/access-queries.server.ts'
import { courseDetail } from '../features/catalogue/catalogue-queries.server.ts'
import { fail as failCatalogue } from '../features/catalogue/catalogue.schema.ts'
import { listStudySheets, sheetSummaries } from '../features/catalogue/study-sheets/study-sheets-queries.server.ts'
import { showSheet } from '../features/catalogue/study-sheets/study-sheets.ts'
import type { CourseId } from '../lib/ids.ts'
import { pageLoader } from '../platform/http/page-loader.server.ts'

/** A study sheet. Owners get the whole text; everybody else gets that of the first sheet, and the headings of the others. */
export const studySheetLoader = pageLoader(async ({ context, params }) => {
  const { db, cachedQueries, user, clock } = context
  const course = await cachedQueries.get(courseDetail, db, (params['courseSlug'] ?? '').toLowerCase())
  if (course === null) throw failCatalogue('course.not-found')
  const access = user === null ? 'none' : await askAccess(db, user, course.id as CourseId, clock.now())
  const hasAccess = typeof access !== 'string'
  const [sheets, list] = await Promise.all([
    listStudySheets(db, course.id),
    cachedQueries.get(sheetSummaries, db, course.id),
  ])
  const sheet = showSheet(sheets, params['sheet'] ?? '', hasAccess)
  if (sheet === null) throw failCatalogue('study-sheet.not-found')
  const { slug, title, code } = course
  return {
    course: { slug, title, code },
    sheet,
    list,
    access: typeof access === 'string' ? access : ('running' as const),
  }
})
