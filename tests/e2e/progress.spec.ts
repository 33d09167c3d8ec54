import { sql } from 'kysely'
import { startEmbedded } from '../../src/db/embedded/embedded.server.ts'
import { openDatabase } from '../../src/db/open.server.ts'
import { findExam } from '../../src/features/catalogue/catalogue-queries.server.ts'
import { storeAttempts } from '../../src/features/study/calibration/stored-answers.fixture.ts'
import { addDays, dayIn } from '../../src/lib/calendar-day.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { makeLearner } from '../support/exam-takers.ts'
import { expect, expectGoodPage, test, visit } from './e2e-test.ts'
import { COURSE } from './pages.ts'

type Stored = { id: string; type: string; options: { id: string; isRight: boolean }[] }

/** A learner of the running server with three finished exams on three days. */
async function aLearner() {
  const dataDir = process.env['E2E_DATA_DIR'] ?? ''
  const embedded = await startEmbedded({ dataDir })
  const database = openDatabase(embedded.url, { connections: 1 })
  const { db } = database
  const exam = await findExam(db, 'clf-practice-exam-1')
  if (exam === null) throw new Error('the catalogue lacks the exam')
  const { id: userId, cookie } = await makeLearner(db, { dataDir, courseId: exam.courseId })
  const row = await db
    .selectFrom('test_questions')
    .where('id', '=', exam.id)
    .select(['family_id', sql<Stored[]>`questions`.as('questions')])
    .executeTakeFirstOrThrow()
  const questions = row.questions
    .filter(({ type, options }) => type === 'choice' && options.filter(({ isRight }) => isRight).length === 1)
    .map(({ id, options }) => ({
      id,
      right: options.find(({ isRight }) => isRight)?.id ?? '',
      wrong: options.find(({ isRight }) => !isRight)?.id ?? '',
    }))
  const answered = { id: exam.id, familyId: row.family_id, courseId: exam.courseId, questions }
  await storeAttempts(
    db,
    [1, 2, 3].map((ago) => ({
      userId,
      exam: answered,
      finishedAt: new Date(Date.now() - ago * DAY_MS),
      isRight: questions.map((_, place) => (place + ago) % 4 !== 0),
    })),
  )
  return {
    cookie,
    /** Everything that the learner did happened a week earlier. */
    moveBackAWeek: () =>
      sql`update study_plans set exam_date = exam_date - 7, date_set_at = date_set_at - interval '7 days'
        where user_id = ${userId}`.execute(db),
    async close() {
      await database.close()
      await embedded.stop()
    },
  }
}

test('a missed week is spread over the days that are left, and the progress is seen from My Courses with the keyboard on a phone', async ({
  page,
  context,
  baseURL,
}) => {
  test.setTimeout(120_000)
  const learner = await aLearner()
  try {
    const origin = baseURL ?? ''
    await context.addCookies([{ ...learner.cookie, url: origin }])
    await page.setViewportSize({ width: 375, height: 812 })
    const wish = { examDate: addDays(dayIn(new Date(), 'UTC'), 20), timeZone: 'UTC', minutesADay: 120 }
    const saved = await page.request.put(`/api/plans/${COURSE}`, { headers: { origin }, data: wish })
    expect(saved.status()).toBe(200)
    await visit(page, `/course/${COURSE}/plan`)
    await expect(page.getByText('20 days to your exam')).toBeVisible()
    const newToday = async () => Number(/^\d+/.exec(await page.getByText(/^\d+ new questions?$/).innerText())?.[0])
    const before = await newToday()
    await learner.moveBackAWeek()
    await visit(page, `/course/${COURSE}/plan`)
    await expect(page.getByText('13 days to your exam')).toBeVisible()
    expect(await newToday()).toBeGreaterThan(before)

    await visit(page, '/my-courses')
    await expect(page.getByText('13 days to your exam')).toBeVisible()
    await page.getByRole('link', { name: /^Progress: / }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Progress' })).toBeVisible()
    const drawn = ['Days', 'What comes back', 'Pace', 'Timed exams']
    for (const name of drawn) await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible()
    const exams = page.getByRole('region', { name: 'Timed exams' }).first()
    await exams.getByText('The numbers as a table').focus()
    await page.keyboard.press('Enter')
    await expect(exams.getByRole('table').getByRole('row')).toHaveCount(4)
    await page.getByText('The pledge', { exact: true }).click()
    await expect(page.getByText('In the 30 days before the exam, you finish 2 timed exams.')).toBeVisible()
    await expectGoodPage(page)
  } finally {
    await learner.close()
  }
})
