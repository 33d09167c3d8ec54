import type { Db } from '../src/db/open.server.ts'
import { startMockExam } from '../src/features/study/mock-exams/mock-exams-commands.server.ts'
import type { CourseId } from '../src/lib/ids.ts'
import { addBank, addLearner, withDatabase } from './bank-course.ts'
import { figureRow, limitRow, logged, median, type Row } from './table.ts'

/** The first one fills a form on its own, as the exam of a course does. */
const EXAM_SIZES = [65, ...Array.from({ length: 39 }, () => 50)]
const ROUNDS = 15
const LIMIT_MS = 300

/** Drawing and starting an exam from a bank of 2,000, beside a twin that only reads the bank from the database and parses it. */
export function benchDrawnExams(): Promise<Row[]> {
  return withDatabase(async (db) => {
    const { courseId } = await addBank(db, EXAM_SIZES)
    const times: { readonly ours: number; readonly twin: number }[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const proof = { userId: await addLearner(db), courseId, until: null, proof: 'access' as const }
      const twin = await timeOf(() => readBank(db, courseId))
      const ours = await timeOf(() => startMockExam(db, { proof, kind: 'mock', replaces: undefined, now: new Date() }))
      // The first round reads the exams into memory.
      if (round > 0) times.push({ ours, twin })
    }
    const [ours, twin] = [median(times.map((time) => time.ours)), median(times.map((time) => time.twin))]
    const ratio = median(times.map((time) => time.ours / time.twin))
    return [
      logged(limitRow('drawing and starting a mock exam from a bank of 2,000', ours, LIMIT_MS, 'ms', 0)),
      logged(figureRow('beside a twin that only reads the bank', `${ratio.toFixed(1)} times ${twin.toFixed(0)} ms`)),
    ]
  })
}

async function readBank(db: Db, courseId: CourseId): Promise<number> {
  const rows = await db.selectFrom('test_questions').where('course_id', '=', courseId).select('questions').execute()
  return rows.length
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}
