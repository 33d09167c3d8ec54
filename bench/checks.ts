import { randomUUID } from 'node:crypto'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase } from '../src/db/open.server.ts'
import { makeLearner } from '../tests/support/exam-takers.ts'
import type { CourseId } from '../src/lib/ids.ts'
import type { BenchServer } from './server.ts'
import { figureRow, limitRow, median, type Row } from './table.ts'

const QUESTIONS = 20_000
const AN_EXAM = 500
const LIMIT_SECONDS = 20

/** Checks 20,000 questions (the demo's, with a third of the words changed), and measures requests meanwhile. */
export async function benchChecks(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: 2 })
  const { db, pool } = database
  try {
    const courseId = await fill(pool)
    const { id, cookie } = await makeLearner(db, { dataDir: server.dataDir, courseId })
    await db.updateTable('profiles').set({ role: 'admin' }).where('id', '=', id).execute()
    const headers = { origin: server.url, cookie: `${cookie.name}=${cookie.value}` }
    const api = `${server.url}/api/courses`
    const idle = await timesOf(api, () => Promise.resolve(50), 50)
    const startedAt = performance.now()
    const reply = await fetch(`${server.url}/api/question-checks`, { method: 'POST', headers })
    if (!reply.ok) throw new Error(`the check was refused: ${await reply.text()}`)
    const { checkId } = (await reply.json()) as { checkId: string }
    const countDone = async () => {
      const { rows } = await pool.query<{ isDone: boolean; hasFailed: boolean; failure: string | null }>(
        `select finished_at is not null as "isDone", failed_at is not null as "hasFailed", failure
         from bank_checks where id = $1`,
        [checkId],
      )
      if (rows[0] === undefined || rows[0].hasFailed) throw new Error(`the check failed: ${rows[0]?.failure}`)
      return rows[0].isDone ? 0 : Number.POSITIVE_INFINITY
    }
    const busy = await timesOf(api, countDone, Number.POSITIVE_INFINITY)
    const seconds = (performance.now() - startedAt) / 1000
    const { rows } = await pool.query<{ questions: number; findings: number }>(
      `select question_count as questions, (select count(*)::int from bank_findings where check_id = $1) as findings
       from bank_checks where id = $1`,
      [checkId],
    )
    return [
      limitRow(
        `all checks over ${rows[0]?.questions} questions (${rows[0]?.findings} findings), from the request to the stored findings`,
        seconds,
        LIMIT_SECONDS,
        's',
      ),
      figureRow(
        'a list of courses meanwhile, median and slowest (idle)',
        `${median(busy).toFixed(1)} ms and ${Math.max(...busy).toFixed(0)} ms (${median(idle).toFixed(1)} ms and ${Math.max(...idle).toFixed(0)} ms)`,
      ),
    ]
  } finally {
    await pool.query('delete from bank_checks')
    await pool.query(`delete from test_questions where slug like 'bench-check-%'`)
    await pool.query(
      `delete from access_periods where course_id in (select id from courses where slug = 'bench-check')`,
    )
    await pool.query(`delete from courses where slug = 'bench-check'`)
    await database.close()
    await embedded.stop()
  }
}

type Pool = ReturnType<typeof openDatabase>['pool']

async function fill(pool: Pool): Promise<CourseId> {
  const { rows } = await pool.query<{ question: Record<string, unknown> & { stem: string } }>(
    `select jsonb_array_elements(questions) as question from test_questions
     where is_current_version and slug not like 'bench-%' order by id`,
  )
  const bank = rows.map(({ question }) => question)
  const words = bank.flatMap(({ stem }) => stem.match(/\w+/g) ?? [])
  const roll = dice(3)
  const course = await pool.query<{ id: CourseId }>(
    `insert into courses (title, slug, price) values ('Bench check', 'bench-check', 19.99) returning id`,
  )
  const courseId = course.rows[0]?.id
  if (courseId === undefined) throw new Error('no course was made')
  for (let from = bank.length; from < QUESTIONS; from += AN_EXAM) {
    const questions = Array.from({ length: Math.min(AN_EXAM, QUESTIONS - from) }, (_, at) => {
      const question = bank[(from + at) % bank.length]
      const stem = question?.stem.replaceAll(/\w+/g, (word) =>
        roll(3) === 0 ? (words[roll(words.length)] ?? word) : word,
      )
      return { ...question, id: randomUUID(), stem }
    })
    await pool.query(
      `insert into test_questions (course_id, test_name, questions, slug) values ($1, 'Bench', $2, $3)`,
      [courseId, JSON.stringify(questions), `bench-check-${from}`],
    )
  }
  return courseId
}

/** The times of sequential calls in milliseconds, until there are as many as `target` returns, at most `limit`. */
async function timesOf(url: string, target: () => Promise<number>, limit: number): Promise<number[]> {
  const times: number[] = []
  while (times.length < limit) {
    const startedAt = performance.now()
    await (await fetch(url)).arrayBuffer()
    times.push(performance.now() - startedAt)
    if (times.length >= (await target())) break
  }
  return times
}

/** Pseudorandom numbers, the same on every run. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
