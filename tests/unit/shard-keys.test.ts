import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AttemptView } from '../../src/features/attempts/attempts.schema.ts'
import { closeOverdueAttempts } from '../../src/features/attempts/close-attempts-commands.server.ts'
import { paths } from '../../src/lib/paths.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { projectRoot } from '../../src/platform/project-root.server.ts'
import { selecting } from '../support/answers.ts'
import { aCourse, anExam } from '../support/build-course.ts'
import { realPages } from '../support/real-pages.ts'
import { listenToStatements } from '../support/sent-statements.ts'
import { namingOf, schemaInTheWay } from '../support/shard-keys.ts'
import { startApp } from '../support/start-app.ts'
import { aStudent, giveAccess } from '../support/users.ts'

const sent = listenToStatements()
const app = await startApp({}, await realPages())
const { db, pool } = app.services.database
const course = await aCourse(db)
const exam = await anExam(db, course.id)
const question = exam.questions[0]!
const answer = (seq: number) => ({
  answer: selecting(question.options[0]!.id),
  isFlagged: false,
  struck: [],
  seq,
  writer: 'tab',
})

/** What many people do at once: start, save, look, submit, review; and what the shop does for them. */
async function takeExams() {
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await student.browser.call(method, path, body)
    expect({ path, status: reply.status }).toEqual({ path, status: 200 })
    return reply.body
  }
  const start = async (mode: string) =>
    AttemptView.parse(await call('POST', '/api/attempts', { examSlug: exam.slug, mode, writer: 'tab' }))
  for (const mode of ['timed', 'practice']) {
    const attempt = await start(mode)
    const at = `/api/attempts/${attempt.id}`
    await call('PUT', `${at}/answers/${question.id}`, answer(2))
    // An older one takes the slow path.
    await call('PUT', `${at}/answers/${question.id}`, answer(1))
    if (mode === 'practice')
      await call('POST', `${at}/answers/${question.id}/check`, { answer: answer(3), writer: 'tab' })
    await call('GET', at)
    await call('GET', `${at}/clock`)
    await call('GET', paths.exam(course.slug, exam.slug))
    await call('POST', `${at}/finish`, { writer: 'tab', answers: {} })
    await call('GET', `${at}/review`)
    await call('GET', paths.examReview(attempt.id))
  }
  await call('GET', paths.myCourses)
  const left = await start('timed')
  await call('PUT', `/api/attempts/${left.id}/answers/${question.id}`, answer(1))
  const over = new Date(app.clock.now().getTime() + 30 * DAY_MS)
  expect(await closeOverdueAttempts(db, over)).toBe(1)
}

/** Why a hot statement may name no attempt or several, and what it would need where the tables are sharded. The page says the same. */
const EXCEPTIONS = [
  {
    statement: 'Saves that arrived together share one statement',
    naming: 'many',
    pattern: /json_to_recordset\(\$1::json\) as given/,
    needs: 'One batch for each shard, or one statement for each save',
  },
  {
    statement: 'The open attempt of a learner at an exam, asked at a start',
    naming: 'none',
    pattern: /where coalesce\("attempts"\."user_id", "attempts"\."guest_id"\) = \$1 and "attempts"\."family_id" = \$2/,
    needs: 'A table of open attempts by learner, which also replaces the two unique indexes',
  },
  {
    statement: 'Attempts whose time is over, asked by the sweep',
    naming: 'none',
    pattern: /^select "id" from "attempts" where "state" = \$1 and "deadline_at" < \$2/,
    needs: 'Nothing: it asks every shard by an index, a few times a minute in one process',
  },
  {
    statement: "A learner's attempts: history, best results, progress",
    naming: 'none',
    pattern: /\buser_id"? = \$\d/,
    needs: 'A table of attempts by learner, or shards by learner (below)',
  },
] as const

const { rows: versions } = await pool.query<{ number: string }>(
  "select current_setting('server_version_num') as number",
)
const canExplain = Number(versions[0]?.number) >= 160_000

test.skipIf(!canExplain)('it is told how a statement names the attempt (skipped before PostgreSQL 16)', async () => {
  const naming = (text: string) => namingOf(pool, text)
  expect(await naming('select 1 from attempt_answers where attempt_id = $1 and question_id = $2')).toBe('one')
  expect(await naming('select 1 from attempts a join attempt_answers b on b.attempt_id = a.id where a.id = $1')).toBe(
    'one',
  )
  expect(
    await naming('select 1 from attempts a join attempt_answers b on b.attempt_id = a.id where a.user_id = $1'),
  ).toBe('none')
  expect(await naming('select 1 from attempt_answers where attempt_id = any($1)')).toBe('many')
  expect(await naming('update attempts set writer = $1 where state = $2')).toBe('none')
  expect(await naming('delete from late_answers where attempt_id = $1')).toBe('one')
  expect(await naming('select 1 from courses where id = $1')).toBeNull()
})

test.skipIf(!canExplain)(
  'each statement of a start, a save, a submission, a review and the sweep names its attempt, or is one of the exceptions in docs/scaling.md',
  async () => {
    await takeExams()
    sent.stop()
    const found = new Set<string>()
    const unexpected: string[] = []
    let named = 0
    for (const text of [...sent.texts].filter((one) => isStatement.test(one))) {
      const naming = await namingOf(pool, text)
      if (naming === 'one') named += 1
      if (naming === null || naming === 'one') continue
      const exception = EXCEPTIONS.find((one) => one.naming === naming && one.pattern.test(text))
      if (exception === undefined) unexpected.push(`${naming}: ${text}`)
      else found.add(exception.statement)
    }
    expect(unexpected).toEqual([])
    expect(named).toBeGreaterThan(8)
    expect([...found].toSorted()).toEqual(EXCEPTIONS.map(({ statement }) => statement).toSorted())
  },
)

test('docs/scaling.md names the exceptions, and what of the schema is in the way of shards', async () => {
  const page = readFileSync(join(projectRoot, 'docs/scaling.md'), 'utf8').replaceAll(/ +/g, ' ')
  for (const { statement, naming, needs } of EXCEPTIONS)
    expect(page).toContain(`| ${statement} | ${naming} | ${needs} |`)
  const inTheWay = await schemaInTheWay(pool)
  const listed = [...page.matchAll(/^\| `((?:foreign key|unique index|trigger) [^`]+)` \|/gm)].map(([, name]) => name)
  expect(listed.toSorted()).toEqual(inTheWay)
})

/** Migrations and the like are sent too. */
const isStatement = /^\s*(?:\/\*[^*]*\*\/\s*)?(?:select|insert|update|delete|with)\b/i
