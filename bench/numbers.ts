import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase, type OpenDatabase } from '../src/db/open.server.ts'
import { getFigures, listCourseFigures, listPoints } from '../src/features/analytics/analytics-queries.server.ts'
import { choosePeriod } from '../src/features/analytics/analytics.ts'
import { getStatistics } from '../src/features/attempts/statistics/statistics-queries.server.ts'
import type { BenchServer } from './server.ts'
import { figureRow, limitRow, median, logged, type Row } from './table.ts'

const ORDERS = 100_000
const ATTEMPTS = 1_000_000
const TAKEN = 10_000
const ROUNDS = 5
const LIMIT_MS = 2000

/** The queries of dashboard, analytics and statistics in a shop with a long history. */
export async function benchNumbers(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: 8 })
  const { db, pool } = database
  try {
    const exam = await fill(database)
    const now = new Date()
    const periodOf = (period: '30d' | '12m') => choosePeriod({ period, from: '', to: '', course: null }, now).period
    const counted = () =>
      pool.query("select count(*), count(distinct user_id) from attempts where started_at > now() - interval '1 year'")
    const rows: Row[] = [
      logged(
        figureRow(
          'the machine: counting a year of attempts and their users',
          `${(await medianMs(counted)).toFixed(0)} ms`,
        ),
      ),
    ]
    for (const name of ['30d', '12m'] as const) {
      const range = { period: periodOf(name), courseId: null }
      rows.push(
        logged(limitRow(`figures of ${name}`, await medianMs(() => getFigures(db, range)), LIMIT_MS, 'ms', 0)),
        logged(limitRow(`points of ${name}`, await medianMs(() => listPoints(db, range)), LIMIT_MS, 'ms', 0)),
        logged(
          limitRow(`courses of ${name}`, await medianMs(() => listCourseFigures(db, range.period)), LIMIT_MS, 'ms', 0),
        ),
      )
    }
    const startedAt = performance.now()
    const { count } = await getStatistics(db, { ...exam, now })
    if (count !== TAKEN) throw new Error(`the statistics count ${count} attempts`)
    rows.push(
      limitRow(
        `statistics of ${TAKEN} attempts at ${exam.questions} questions, first call`,
        performance.now() - startedAt,
        5000,
        'ms',
        0,
      ),
      limitRow('the same, cached', await medianMs(() => getStatistics(db, { ...exam, now })), 50, 'ms', 1),
    )
    return rows.map((row) => ({
      ...row,
      what: `${ORDERS / 1000} thousand orders, ${ATTEMPTS / 1_000_000} million attempts: ${row.what}`,
    }))
  } finally {
    // No cleanup: the data folder of this bench is deleted.
    await database.close()
    await embedded.stop()
  }
}

/** Adds ten thousand users, two years of orders and attempts, and every user's answers to one exam. */
async function fill({ pool }: OpenDatabase): Promise<{ id: string; familyId: string; questions: number }> {
  const { rows } = await pool.query<{ id: string; familyId: string; questions: number }>(
    `select id, family_id as "familyId", question_count as questions from test_questions
     where is_current_version order by question_count desc, id limit 1`,
  )
  const exam = rows[0]
  if (exam === undefined) throw new Error('the catalogue has no exam')
  const run = async (text: string, values: unknown[] = []) => {
    const client = await pool.connect()
    try {
      await client.query('set statement_timeout = 0')
      await client.query(text, values)
      await client.query('reset statement_timeout')
    } finally {
      client.release()
    }
  }
  await run(
    `insert into users (name, email, email_verified)
     select 'Bench', 'bench-numbers-' || n || '@example.com', true from generate_series(1, ${TAKEN}) as n`,
  )
  await run(`insert into profiles (id) select id from users where email like 'bench-numbers-%' on conflict do nothing`)
  await run(
    `with people as (select id, row_number() over (order by id) as n from users where email like 'bench-numbers-%')
     insert into orders (user_id, state, subtotal_cents, tax_cents, shipping_cents, total_cents, cart_key, provider, created_at, paid_at)
     select people.id, 'paid', 1999, 200, 999, 3198, 'bench-numbers-' || number, 'stripe', at, at
     from generate_series(1, ${ORDERS}) as number
     join people on people.n = number % ${TAKEN} + 1
     cross join lateral (select now() - number * interval '10 minutes' as at) as times`,
  )
  await run(
    `insert into order_lines (order_id, course_id, title, unit_price_cents, quantity)
     select orders.id, (select id from courses order by id limit 1), 'Bench', 1999, 1
     from orders where cart_key like 'bench-numbers-%'`,
  )
  await run(
    `insert into order_moves (order_id, from_state, to_state, cause, detail, at)
     select id, 'paid', 'partly_refunded', 'bench', '{"refundedCents": 100}', paid_at + interval '1 day'
     from orders where cart_key like 'bench-numbers-%0' and paid_at < now() - interval '1 day'`,
  )
  await run(
    `with people as (select id, row_number() over (order by id) as n from users where email like 'bench-numbers-%'),
     exams as (
       select id, family_id, course_id, row_number() over (order by id) as n, count(*) over () as many
       from test_questions where is_current_version and id <> $1)
     insert into attempts (exam_id, family_id, course_id, user_id, mode, state, seed, layout, scoring_policy, passing_score,
       writer, started_at, finished_at, finished_by, result, score_percent, is_passed)
     select exams.id, exams.family_id, exams.course_id, people.id,
       case number % 3 when 0 then 'timed' when 1 then 'practice' else 'preview' end, 'finished', 1, '[]', 'all-or-nothing', 70,
       'bench-numbers', at, at, 'learner', '{"answeredCount": 1, "questionCount": 1}', 50, number % 2 = 0
     from generate_series(1, ${ATTEMPTS}) as number
     join people on people.n = number % ${TAKEN} + 1
     join exams on exams.n = number % exams.many + 1
     cross join lateral (select now() - number * interval '1 minute' as at) as times`,
    [exam.id],
  )
  await run(
    `insert into attempts (exam_id, family_id, course_id, user_id, mode, state, seed, layout, scoring_policy, passing_score,
       writer, started_at, finished_at, finished_by, result, score_percent, is_passed)
     select $1, family_id, course_id, users.id, 'timed', 'finished', 1, '[]', 'all-or-nothing', 70,
       'bench-numbers', now(), now(), 'learner', '{"answeredCount": 65, "questionCount": 65}', 50, true
     from test_questions, users where test_questions.id = $1 and users.email like 'bench-numbers-%'`,
    [exam.id],
  )
  await run(
    `insert into attempt_answers (attempt_id, question_id, answer, seq, writer, saved_at, active_ms)
     select attempts.id, question ->> 'id',
       jsonb_build_object('type', 'choice', 'optionIds', jsonb_build_array(
         question -> 'options' -> (random() * random() * (jsonb_array_length(question -> 'options') - 1))::int ->> 'id')), 1, 'bench', now(),
       (random() * 60000)::int
     from attempts
     cross join lateral (select questions from test_questions where test_questions.id = attempts.exam_id) as exam
     cross join lateral jsonb_array_elements(exam.questions) as question
     where attempts.exam_id = $1 and attempts.writer = 'bench-numbers' and question ->> 'type' = 'choice'`,
    [exam.id],
  )
  await run('vacuum (analyze) attempts')
  await run('vacuum (analyze) orders')
  await run('analyze')
  return exam
}

async function medianMs(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now()
    await ask()
    times.push(performance.now() - startedAt)
  }
  return median(times)
}
