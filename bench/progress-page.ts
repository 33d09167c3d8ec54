import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase } from '../src/db/open.server.ts'
import { paths } from '../src/lib/paths.ts'
import { benchGrowth, benchGrowthAfterExam, page } from './growth.ts'
import type { BenchServer } from './server.ts'
import { fillStudiedCourse } from './studied-course.ts'
import type { Row } from './table.ts'

const GROWTH = 1.5
/** The same bank of 650 questions; 200 and 20,000 answers, half of them in exams and half in drills. */
const bank = { taken: 50, others: Array.from({ length: 12 }, () => 50), attemptsOfCourse: 0, hoursBetween: 40 }
const sizes = {
  small: { ...bank, attemptsOfLearner: 2, drillsOfLearner: 2 },
  large: { ...bank, attemptsOfLearner: 200, drillsOfLearner: 200 },
} as const

/** The CPU of server and database for the progress page of a learner with 20,000 answers in almost a year, against one with 200. */
export async function benchProgressPage(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: 2 })
  try {
    const small = await fillStudiedCourse(database, server.dataDir, sizes.small)
    const large = await fillStudiedCourse(database, server.dataDir, sizes.large)
    await database.pool.query('vacuum (analyze)')
    const call = page(({ courseSlug }) => paths.progress(courseSlug))
    const of = { name: 'progress page', call, small, large, sizes: '20,000 answers beside 200', limit: GROWTH }
    return [...(await benchGrowth(server, of)), ...(await benchGrowthAfterExam(server, of))]
  } finally {
    await database.close()
    await embedded.stop()
  }
}
