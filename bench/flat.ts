import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase, type OpenDatabase } from '../src/db/open.server.ts'
import { shuffleLayout } from '../src/features/attempts/attempts.ts'
import { aCourse, anExam, aQuestion, type BuiltExam } from '../tests/support/build-course.ts'
import { makeLearner } from '../tests/support/exam-takers.ts'
import { cpuOf, type BenchServer } from './server.ts'
import { figureRow, limitRow, logged, median, type Row } from './table.ts'

const GROWTH = 1.3
/** The small and the large shop take turns of this many calls. */
const CALLS = 20
const TURNS = 9
const CHANGES = 5
/** The exam that is taken is the same; the rest of the bank and the attempts grow. */
const TAKEN_QUESTIONS = 65
const sizes = {
  small: { attemptsOfCourse: 100, others: [65, 65], attemptsOfLearner: 5 },
  large: { attemptsOfCourse: 50_000, others: [968, 967], attemptsOfLearner: 500 },
} as const
const DOMAINS = ['Compute', 'Data', 'Network', 'Security']

type Shop = {
  readonly cookie: string
  readonly exam: BuiltExam
  readonly courseSlug: string
  readonly finishedId: string
  /** Finishes the first exam once more, with an answer to each question. */
  readonly finishOne: () => Promise<void>
}
type Call = (url: string, shop: Shop) => Promise<Response>

/** What a learner waits for. Each is called for the learner of the small and of the large course. */
const calls: Record<string, Call> = {
  'resuming an exam': (url, { cookie, exam }) =>
    fetch(`${url}/api/attempts`, {
      method: 'POST',
      headers: { origin: url, cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ examSlug: exam.slug, mode: 'practice' }),
    }),
  'the start page of an exam': page(({ courseSlug, exam }) => `/course/${courseSlug}/exam/${exam.slug}`),
  'a review': page(({ finishedId }) => `/exam-review/${finishedId}`),
  'My Courses': page(() => '/my-courses'),
  'the page for new drills': page(({ courseSlug }) => `/course/${courseSlug}/drill`),
}

const callsAfterChange: Record<string, Call> = {
  'My Courses': page(() => '/my-courses'),
  'page for new drills': page(({ courseSlug }) => `/course/${courseSlug}/drill`),
}

function page(pathOf: (shop: Shop) => string): Call {
  return (url, shop) => fetch(`${url}${pathOf(shop)}`, { headers: { cookie: shop.cookie }, redirect: 'manual' })
}

/**
 * The CPU of server and database for what a learner waits for, in a course with 50,000 attempts, a bank of 2,000 questions and 500
 * attempts of the learner, against a small course. Both are in one database, and measured in turns.
 */
export async function benchFlat(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: 2 })
  try {
    await database.pool.query('set statement_timeout = 0')
    const small = await fill(database, server.dataDir, sizes.small)
    const large = await fill(database, server.dataDir, sizes.large)
    await database.pool.query('vacuum (analyze)')
    const rows: Row[] = []
    for (const [name, call] of Object.entries(callsAfterChange))
      rows.push(...(await benchAfterChange(server, { name, call, small, large })))
    for (const [name, call] of Object.entries(calls)) {
      const first = { small: await cpuOfCalls(server, call, small, 1), large: await cpuOfCalls(server, call, large, 1) }
      await cpuOfCalls(server, call, small, CALLS)
      await cpuOfCalls(server, call, large, CALLS)
      const turns: { small: number; large: number }[] = []
      for (let turn = 0; turn < TURNS; turn += 1)
        turns.push({
          small: await cpuOfCalls(server, call, small, CALLS),
          large: await cpuOfCalls(server, call, large, CALLS),
        })
      const growth = median(turns.map((turn) => turn.large / turn.small))
      const of = (size: 'small' | 'large') => median(turns.map((turn) => turn[size])).toFixed(1)
      rows.push(
        logged(
          figureRow(
            `CPU of ${name}, small / large course (first call)`,
            `${of('small')} ms / ${of('large')} ms (${first.small.toFixed(0)} ms / ${first.large.toFixed(0)} ms)`,
          ),
        ),
        logged(limitRow(`${name}: 50,000 attempts, 2,000 questions, 500 own attempts`, growth, GROWTH, 'times', 2)),
      )
    }
    return rows
  } finally {
    await database.close()
    await embedded.stop()
  }
}

/** The first call after each of some finished exams. */
async function benchAfterChange(
  server: BenchServer,
  { name, call, small, large }: { name: string; call: Call; small: Shop; large: Shop },
): Promise<Row[]> {
  const turns: { small: number; large: number }[] = []
  // The first turn warms up and does not count.
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const sums = { small: 0, large: 0 }
    for (let change = 0; change < CHANGES; change += 1)
      for (const [size, shop] of Object.entries({ small, large }) as ['small' | 'large', Shop][]) {
        await shop.finishOne()
        sums[size] += await cpuOfCalls(server, call, shop, 1)
      }
    if (turn > 0) turns.push(sums)
  }
  const total = (size: 'small' | 'large') => turns.reduce((sum, turn) => sum + turn[size], 0)
  const each = (size: 'small' | 'large') => (total(size) / turns.length / CHANGES).toFixed(1)
  const what = `the first ${name} after a finished exam`
  return [
    logged(figureRow(`CPU of ${what}, small / large course`, `${each('small')} ms / ${each('large')} ms`)),
    logged(limitRow(`${what}: 500 own attempts`, total('large') / total('small'), GROWTH, 'times', 2)),
  ]
}

async function cpuOfCalls(server: BenchServer, call: Call, shop: Shop, count: number): Promise<number> {
  const before = await cpuOf(server.pid)
  for (let number = 0; number < count; number += 1) {
    const reply = await call(server.url, shop)
    const text = await reply.text()
    if (reply.status !== 200) throw new Error(`${reply.url}: ${reply.status} ${text.slice(0, 200)}`)
  }
  const after = await cpuOf(server.pid)
  return (after.serverMs - before.serverMs + after.databaseMs - before.databaseMs) / count
}

/** A course with its exams, attempts by many users, and a learner with finished attempts and an open one at its first exam. */
async function fill(
  { db, pool }: OpenDatabase,
  dataDir: string,
  size: (typeof sizes)[keyof typeof sizes],
): Promise<Shop> {
  const course = await aCourse(db, { title: `Flat course of ${size.attemptsOfCourse} attempts` })
  const questionsOf = (count: number) =>
    Array.from({ length: count }, (_, index) => aQuestion(index + 1, { domain: DOMAINS[index % DOMAINS.length] ?? '' }))
  const exam = await anExam(db, course.id, { questions: questionsOf(TAKEN_QUESTIONS) })
  const others: BuiltExam[] = []
  for (const count of size.others) others.push(await anExam(db, course.id, { questions: questionsOf(count) }))
  const { id, cookie } = await makeLearner(db, { dataDir, courseId: course.id })
  await pool.query(
    `insert into users (name, email, email_verified) select 'Flat', 'flat-' || $1 || n || '@example.com', true
     from generate_series(1, 500) as n`,
    [course.slug],
  )
  const layout = JSON.stringify(shuffleLayout(1, exam.questions, 'timed'))
  const finish = async (whose: string, count: number, values: readonly unknown[]): Promise<string[]> => {
    const { rows } = await pool.query<{ id: string }>(
      `insert into attempts (exam_id, family_id, course_id, user_id, mode, state, seed, layout, scoring_policy, passing_score,
         started_at, finished_at, finished_by, result, score_percent, is_passed)
       select test_questions.id, family_id, course_id, (${whose}), 'timed', 'finished', 1, $2::jsonb, scoring_policy,
         test_questions.passing_score, at, at, 'learner', $3::jsonb, (random() * 100)::int, random() > 0.5
       from test_questions, generate_series(1, ${count}) as n
       cross join lateral (select now() - (n - 1) * interval '1 hour' as at) as times
       where test_questions.id = $1 returning id`,
      [exam.id, layout, ...values],
    )
    return rows.map((row) => row.id)
  }
  const result = JSON.stringify({
    rightCount: 30,
    answeredCount: TAKEN_QUESTIONS,
    questionCount: TAKEN_QUESTIONS,
    scorePercent: 46,
    passingScore: 70,
    isPassed: false,
    domains: [],
  })
  await finish(
    `select id from users where email = 'flat-' || $4 || (n % 500 + 1) || '@example.com'`,
    size.attemptsOfCourse,
    [result, course.slug],
  )
  const finishOwn = async (count: number) => {
    const attemptIds = await finish('select $4::uuid', count, [result, id])
    await pool.query(
      `insert into attempt_answers (attempt_id, question_id, answer, seq, writer, saved_at, active_ms)
     select attempts.id, question ->> 'id', jsonb_build_object('type', 'choice', 'optionIds',
       jsonb_build_array(question -> 'options' -> (random() * random() * 4)::int % 4 ->> 'id')), 1, 'bench', now(), 1000
     from attempts join test_questions on test_questions.id = exam_id
     cross join lateral jsonb_array_elements(questions) as question where attempts.id = any($1::uuid[])`,
      [attemptIds],
    )
  }
  await finishOwn(size.attemptsOfLearner)
  const { rows } = await pool.query<{ id: string }>(
    'select id from attempts where user_id = $1 order by started_at desc limit 1',
    [id],
  )
  return {
    cookie: `${cookie.name}=${cookie.value}`,
    exam,
    courseSlug: course.slug,
    finishedId: rows[0]?.id ?? '',
    finishOne: () => finishOwn(1),
  }
}
