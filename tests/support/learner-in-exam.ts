import { AttemptView } from '../../src/features/attempts/attempts.schema.ts'
import { selecting } from './answers.ts'
import { aCourse, anExam } from './build-course.ts'
import type { Reply, TestApp } from './start-app.ts'
import { aStudent, giveAccess } from './users.ts'

/** Every request has to end within this time while the database is away. */
export const REQUEST_LIMIT_MS = 10_000
/** And all be well again so long after the end of a fault. */
export const WELL_MS = 30_000

/** A learner of the app in the middle of a timed exam, who saves another answer each time. */
export async function aLearnerInAnExam(app: TestApp) {
  const { db } = app.services.database
  const course = await aCourse(db)
  const exam = await anExam(db, course.id)
  const { id, browser } = await aStudent(app)
  await giveAccess(app, { id }, course.id)
  const attempt = AttemptView.parse((await browser.post('/api/attempts', { examSlug: exam.slug, mode: 'timed' })).body)
  const [question] = exam.questions
  let seq = 0
  const save = () =>
    browser.put(`/api/attempts/${attempt.id}/answers/${question!.id}`, {
      answer: selecting(question!.options[0]!.id),
      isFlagged: false,
      struck: [],
      seq: ++seq,
      writer: 'tab',
    })
  return { browser, save, open: () => browser.get(`/api/attempts/${attempt.id}`) }
}

/** How a request ended, and after how long. */
export async function timed(pending: Promise<Reply>) {
  const startedAt = performance.now()
  const { status, headers, body } = await pending
  return { status, headers, body, ms: performance.now() - startedAt }
}
