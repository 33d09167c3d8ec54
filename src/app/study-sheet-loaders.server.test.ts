import { expect, test } from 'vitest'
import { aCourse, anExam, aQuestion } from '../../tests/support/build-course.ts'
import { startApp, type Visitor } from '../../tests/support/start-app.ts'
import { aStudent, giveAccess } from '../../tests/support/users.ts'
import { storeStudySheet } from '../features/catalogue/study-sheets/study-sheets-commands.server.ts'
import { SHEET_SECTIONS } from '../features/questions/formats/markdown/study-sheet-markdown.ts'
import { realPages } from '../../tests/support/real-pages.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' }, await realPages())
const { db } = app.services.database

const textAt = async (visitor: Visitor, path: string) => String((await visitor.get(path)).body)

async function aCourseWithSheets() {
  const course = await aCourse(db)
  await anExam(db, course.id, { questions: [aQuestion(1)] })
  for (const [at, domain] of ['First', 'Second'].entries())
    await storeStudySheet(
      db,
      course.id,
      {
        slug: domain.toLowerCase(),
        domain,
        order: at + 1,
        guide: 'G-1 2.0',
        verifiedOn: null,
        sources: ['https://docs.example.com/a'],
        body: SHEET_SECTIONS.map((title) => `## ${title}\n\nSecret of ${domain}, ${title}.`).join('\n\n'),
      },
      app.clock.now(),
    )
  return course
}

test('the first sheet is free for everybody; of the others a guest gets the headings and no text', async () => {
  const course = await aCourseWithSheets()
  const guest = app.visitor()
  const first = await textAt(guest, `/course/${course.slug}/study/first`)
  expect(first).toContain('Secret of First, Traps.')
  const second = await textAt(guest, `/course/${course.slug}/study/second`)
  expect(second).toContain('Which one, when')
  expect(second).not.toContain('Secret of')
  expect(await textAt(guest, `/course/${course.slug}/study/second.data`)).not.toContain('Secret of')
})

test('an owner reads every sheet while access lasts, and the headings afterwards', async () => {
  const course = await aCourseWithSheets()
  const student = await aStudent(app)
  const second = () => textAt(student.browser, `/course/${course.slug}/study/second`)
  expect(await second()).not.toContain('Secret of')
  await giveAccess(app, student, course.id)
  expect(await second()).toContain('Secret of Second, Traps.')
  const endsAt = { ends_at: new Date(app.clock.now().getTime() - 1000), starts_at: new Date(0) }
  await db.updateTable('access_periods').set(endsAt).where('course_id', '=', course.id).execute()
  expect(await second()).toContain('Your access has ended.')
  expect(await second()).not.toContain('Secret of')
})
