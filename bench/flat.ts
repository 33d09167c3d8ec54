import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase } from '../src/db/open.server.ts'
import { benchGrowth, benchGrowthAfterExam, page, type Call } from './growth.ts'
import type { BenchServer } from './server.ts'
import { fillStudiedCourse } from './studied-course.ts'
import type { Row } from './table.ts'

const GROWTH = 1.3
/** The exam that is taken is the same; the rest of the bank and the attempts grow. */
const sizes = {
  small: { taken: 65, attemptsOfCourse: 100, others: [65, 65], attemptsOfLearner: 5 },
  large: { taken: 65, attemptsOfCourse: 50_000, others: [968, 967], attemptsOfLearner: 500 },
} as const

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

/**
 * The CPU of server and database for what a learner waits for, in a course with 50,000 attempts, a bank of 2,000 questions and 500
 * attempts of the learner, against a small course. Both are in one database, and measured in turns.
 */
export async function benchFlat(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: 2 })
  try {
    await database.pool.query('set statement_timeout = 0')
    const small = await fillStudiedCourse(database, server.dataDir, sizes.small)
    const large = await fillStudiedCourse(database, server.dataDir, sizes.large)
    await database.pool.query('vacuum (analyze)')
    const of = { small, large, limit: GROWTH }
    const rows: Row[] = []
    for (const [name, call] of Object.entries(callsAfterChange))
      rows.push(...(await benchGrowthAfterExam(server, { ...of, name, call, sizes: '500 own attempts' })))
    const all = '50,000 attempts, 2,000 questions, 500 own attempts'
    for (const [name, call] of Object.entries(calls))
      rows.push(...(await benchGrowth(server, { ...of, name, call, sizes: all })))
    return rows
  } finally {
    await database.close()
    await embedded.stop()
  }
}
