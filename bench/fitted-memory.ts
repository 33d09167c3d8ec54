import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase, type Db } from '../src/db/open.server.ts'
import { measuredAnswerPages } from '../src/features/study/progress/study-progress-commands.server.ts'
import { fitLearner } from '../src/features/study/repetition/memory-fits-commands.server.ts'
import type { CourseId, UserId } from '../src/lib/ids.ts'
import type { BenchServer } from './server.ts'
import { fillStudiedCourse } from './studied-course.ts'
import { figureRow, limitRow, logged, median, type Row } from './table.ts'

/** 20,000 answers to 650 questions in a year, half of them in exams and half in drills. */
const size = {
  taken: 50,
  others: Array.from({ length: 12 }, () => 50),
  attemptsOfCourse: 0,
  attemptsOfLearner: 200,
  drillsOfLearner: 200,
  hoursBetween: 40,
}
const TURNS = 5
/** Both are our own: the job may take this long for a learner, and requests may wait so long for one of its slices. */
const LIMIT_SECONDS = 30
const HOLD_UP_MS = 250

/** Fitting FSRS to a learner with 20,000 answers, in turns with a twin that only reads the same answers and sums them. */
export async function benchMemoryFit(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: 2 })
  const { db, pool } = database
  try {
    const { finishedId } = await fillStudiedCourse(database, server.dataDir, size)
    await pool.query('vacuum (analyze)')
    const { user_id: userId, course_id: courseId } = await db
      .selectFrom('attempts')
      .where('id', '=', finishedId)
      .select(['user_id', 'course_id'])
      .executeTakeFirstOrThrow()
    const learner = { userId: userId as UserId, answers: 20_000 }
    const now = new Date()
    let reviews = 0
    const fit = async () => void ({ reviews } = await fitLearner(db, learner, now))
    const sum = () => readAndSum(db, { ...learner, courseId: courseId as CourseId, until: now.toISOString() })
    // The first turn warms up and does not count.
    await sum()
    await fit()
    const turns: { twin: Measured; ours: Measured }[] = []
    for (let turn = 0; turn < TURNS; turn += 1) turns.push({ twin: await measured(sum), ours: await measured(fit) })
    const of = (whose: 'twin' | 'ours', figure: keyof Measured) => median(turns.map((turn) => turn[whose][figure]))
    const ratio = median(turns.map(({ ours, twin }) => ours.seconds / twin.seconds))
    const what = `fitting FSRS to a learner with 20,000 answers, ${reviews.toLocaleString('en-US')} of them reviews`
    return [
      logged(limitRow(what, of('ours', 'seconds'), LIMIT_SECONDS, 's', 2)),
      logged(
        figureRow(
          'beside a twin that only reads the answers and sums them',
          `${ratio.toFixed(1)} times (${of('twin', 'seconds').toFixed(2)} s)`,
        ),
      ),
      logged(limitRow('its longest hold-up of the server', of('ours', 'holdUpMs'), HOLD_UP_MS, 'ms', 0)),
      logged(figureRow('the longest hold-up of the twin', `${of('twin', 'holdUpMs').toFixed(0)} ms`)),
    ]
  } finally {
    await database.close()
    await embedded.stop()
  }
}

async function readAndSum(db: Db, of: { userId: UserId; courseId: CourseId; until: string }): Promise<number> {
  let right = 0
  for await (const { answers } of measuredAnswerPages(db, { ...of, after: null }))
    right += answers.filter(({ isRight }) => isRight).length
  return right
}

type Measured = { readonly seconds: number; readonly holdUpMs: number }

/** The time of some work, and the longest time that nothing else could run meanwhile. */
export async function measured(run: () => Promise<unknown>): Promise<Measured> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const startedAt = performance.now()
  await run()
  const seconds = (performance.now() - startedAt) / 1000
  delays.disable()
  return { seconds, holdUpMs: delays.max / 1e6 }
}
