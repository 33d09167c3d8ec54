import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { anAdmin } from '../../../../tests/support/users.ts'
import { lockExam } from '../../catalogue/exam-locks-commands.server.ts'
import type { ImportView } from '../imports/imports.schema.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { db, pool } = app.services.database
const admin = await anAdmin(app)

test('an import that fills several exams takes them in the order of every other change, not in that of its file', async () => {
  const course = await aCourse(db)
  for (const number of [1, 3]) await anExam(db, course.id, { questions: [aQuestion(number), aQuestion(number + 1)] })
  const { rows: exams } = await pool.query<{ family: string }>(
    'select family_id as family from test_questions where course_id = $1 order by family_id',
    [course.id],
  )
  const [first = '', second = ''] = exams.map(({ family }) => family)
  // Files are listed by their names, which are the slugs of the exams: the second one first.
  for (const [family, slug] of [
    [first, `z-${course.slug}`],
    [second, `a-${course.slug}`],
  ])
    await pool.query('update test_questions set slug = $2 where family_id = $1', [family, slug])
  const headers = { cookie: admin.browser.cookies, origin: app.url, 'content-type': 'application/octet-stream' }
  const file = await fetch(`${app.url}/api/exports?course=${course.id}&format=markdown`, { headers })
  const body = await file.arrayBuffer()
  // The exams lack a question that the file has.
  await pool.query('update test_questions set questions = questions - 1 where course_id = $1', [course.id])
  const upload = await fetch(`${app.url}/api/imports?name=course.zip`, { method: 'POST', headers, body })
  const { id } = (await upload.json()) as { id: string }
  const view = async () => (await admin.browser.get(`/api/imports/${id}`)).body as ImportView
  await expect.poll(async () => (await view()).state, { timeout: 60_000 }).toBe('read')

  const isWaiting = async () =>
    (await pool.query(`select from pg_locks where locktype = 'advisory' and not granted`)).rows.length > 0
  const storing = await db.transaction().execute(async (tx) => {
    await lockExam(tx, first)
    const target = { kind: 'own-courses' }
    const started = admin.browser.post(`/api/imports/${id}/store`, { target, withReview: true })
    await expect.poll(isWaiting, { timeout: 60_000 }).toBe(true)
    await sql`set local lock_timeout = '500ms'`.execute(tx)
    await lockExam(tx, second)
    return { started }
  })
  expect(await storing.started).toMatchObject({ status: 200, body: { added: 2 } })
}, 120_000)
