import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { startApp } from '../../../tests/support/start-app.ts'
import { anAdmin, aStudent, giveAccess } from '../../../tests/support/users.ts'
import { countOpenErrors } from '../../features/authoring/checks/question-checks-queries.server.ts'
import { listNeedsReview } from '../../features/catalogue/catalogue-queries.server.ts'
import { readEnv } from '../../platform/env.server.ts'
import { reportBackups } from '../backups/backup-report.server.ts'
import { writeBackupState, type BackupState } from '../backups/backup-state.server.ts'
import { countWork } from './work-loaders.server.ts'

const app = await startApp()
const { db, pool } = app.services.database

test('work is counted by list, and a count falls when the work is done', async () => {
  const none = {
    pledges: 0,
    orders: 0,
    reports: 0,
    findings: 0,
    feedback: 0,
    review: 0,
    imports: 0,
    jobs: 0,
    backups: 0,
  }
  expect(await countWork(db, null)).toEqual(none)
  const course = await aCourse(db)
  const exam = await anExam(db, course.id)
  const learner = await aStudent(app)
  await giveAccess(app, learner, course.id)
  const attempt = await learner.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'practice' })
  const { id } = attempt.body as { id: string }
  await learner.browser.put(`/api/attempts/${id}/reports/${exam.questions[0]!.id}`, { reason: 'unclear' })
  const feedback = { id: randomUUID(), type: 'suggestion', message: 'More.', context: '/' }
  await learner.browser.post('/api/feedback', feedback)
  await learner.browser.post('/api/functions/create-cart-payment', { cartItems: [{ id: course.id, quantity: 1 }] })
  await pool.query(`update orders set payment_issue = 'another amount', payment_issue_at = now()`)
  await pool.query(
    `insert into jobs.job (id, name, data, state, completed_on) values ($1, 'mail', '{}', 'failed', now())`,
    [randomUUID()],
  )
  await pool.query(
    `with made as (insert into imports (name, state, created_at, updated_at) values ('a.csv', 'read', now(), now()) returning id)
     insert into import_questions (import_id, place, exam_place, file, line, key, judged, verdict)
     select id, place, 0, 'a.csv', place, 'k', 'refused', 'refused' from made, generate_series(1, 3) as place`,
  )
  await pool.query(`update test_questions set questions = jsonb_set(questions, '{0,needs_review}', 'true')`)
  await pool.query(`update test_questions set questions = jsonb_set(questions, '{1,domain}', '""')`)
  await (await anAdmin(app)).browser.post('/api/question-checks')
  await expect.poll(() => countOpenErrors(db), { timeout: 60_000 }).toBe(1)
  expect(await countWork(db, null)).toEqual({
    pledges: 0,
    orders: 1,
    reports: 1,
    findings: 1,
    feedback: 1,
    review: 1,
    imports: 1,
    jobs: 1,
    backups: 0,
  })
  expect((await listNeedsReview(db)).exams).toEqual([
    { id: exam.id, title: expect.any(String), course: course.title, count: 1 },
  ])
  await pool.query(`update test_questions set questions = jsonb_set(questions, '{0,needs_review}', 'false')`)
  await pool.query(`update orders set payment_issue = null, payment_issue_at = null`)
  expect(await countWork(db, null)).toMatchObject({ orders: 0, review: 0 })
})

test('backups are counted as work when one failed, is late or cannot be tested, and the report says why', async () => {
  const settings = readEnv({ BACKUP_DIR: '/backups', BACKUP_SCHEDULE: 'hourly' }).backups
  const [now, madeAt] = [new Date('2026-11-28T12:10:00Z'), '2026-11-28T12:00:00.000Z']
  const last = { name: 'a', madeAt, bytes: 1, rows: 1, isSealed: true, test: 'passed' as const, why: null }
  const good: BackupState = { place: '/backups', last, testedMadeAt: madeAt, copied: null, failures: 0, failure: null }
  const failure = { at: madeAt, sentence: 'Its disk is full.', retryAt: madeAt }
  const report = async (state: BackupState, at = now) => {
    await writeBackupState(db, state, at)
    const found = await reportBackups(db, settings, at)
    return { ...found, counted: (await countWork(db, found)).backups }
  }
  expect(await reportBackups(db, null, now)).toBeNull()
  expect(await report({ ...good, place: '/elsewhere' })).toMatchObject({ last: null, isLate: false, counted: 0 })
  expect(await report(good)).toMatchObject({ last, nextAt: '2026-11-28T13:00:00.000Z', isLate: false, counted: 0 })
  expect(await report({ ...good, failures: 1, failure })).toMatchObject({ failure, counted: 1 })
  expect(await report(good, new Date('2026-11-28T14:00:01Z'))).toMatchObject({ isLate: true, counted: 1 })
  const untested = { ...last, test: 'not tested' as const, why: 'The role may not.' }
  expect(await report({ ...good, last: untested })).toMatchObject({ last: untested, counted: 1 })
})
