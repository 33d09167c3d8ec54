import type { Db } from '../src/db/open.server.ts'
import { randomOf } from '../src/features/questions/types/shuffle.ts'
import { calibrateCourse } from '../src/features/study/calibration/calibration-commands.server.ts'
import { readCalibrationFacts } from '../src/features/study/calibration/calibration-queries.server.ts'
import { storeAttempts } from '../src/features/study/calibration/stored-answers.fixture.ts'
import { rightChance } from '../src/features/study/readiness/response-model.ts'
import type { CourseId, UserId } from '../src/lib/ids.ts'
import { addBank, addLearner, withDatabase } from './bank-course.ts'
import { measured } from './fitted-memory.ts'
import { figureRow, limitRow, logged, type Row } from './table.ts'

const EXAMS = 40
const QUESTIONS = 50
const LEARNERS = 1_000
/** Exams of QUESTIONS answers that each learner has finished: 200,000 answers in all. */
const EACH = 4
const LIMIT_SECONDS = 60
const HOLD_UP_MS = 250

/** Calibrating 2,000 questions from 200,000 stored answers, beside a twin that only reads the answers and sums them. */
export function benchCalibration(): Promise<Row[]> {
  return withDatabase(async (db) => {
    const courseId = await fill(db)
    const now = new Date()
    // Before both: the versions of the exams are read once and stay in memory.
    await read(db, courseId, now)
    const twin = await measured(() => read(db, courseId, now))
    const ours = await measured(() => calibrateCourse(db, courseId, now))
    const beside = `${(ours.seconds / twin.seconds).toFixed(1)} times reading and summing (${twin.seconds.toFixed(1)} s)`
    return [
      logged(limitRow('calibrating 2,000 questions from 200,000 stored answers', ours.seconds, LIMIT_SECONDS, 's')),
      logged(figureRow('beside a twin that only reads them and sums', beside)),
      logged(limitRow('its longest hold-up of the server', ours.holdUpMs, HOLD_UP_MS, 'ms', 0)),
      logged(figureRow('the longest hold-up of the twin', `${twin.holdUpMs.toFixed(0)} ms`)),
    ]
  })
}

async function read(db: Db, courseId: CourseId, now: Date): Promise<number> {
  const { responses } = await readCalibrationFacts(db, courseId, now)
  return responses.isRight.reduce((sum, right) => sum + right, 0)
}

async function fill(db: Db): Promise<CourseId> {
  const random = randomOf(19)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const now = new Date()
  const bank = await addBank(
    db,
    Array.from({ length: EXAMS }, () => QUESTIONS),
  )
  const exams = bank.exams.map(({ id, courseId, questions }) => ({
    id,
    familyId: id,
    courseId,
    questions: questions.map((question) => ({
      id: question.id,
      right: `${question.id}-0`,
      wrong: `${question.id}-1`,
    })),
    difficulties: questions.map(() => 0.8 * normal()),
  }))
  const users: UserId[] = []
  for (let number = 0; number < LEARNERS; number++) users.push(await addLearner(db))
  for (let from = 0; from < LEARNERS; from += 50)
    await storeAttempts(
      db,
      users.slice(from, from + 50).flatMap((userId) => {
        const ability = 1 + normal()
        const first = Math.floor(random() * EXAMS)
        return Array.from({ length: EACH }, (_, turn) => {
          const exam = exams[(first + turn) % EXAMS]!
          const isRight = exam.difficulties.map((difficulty) => random() < rightChance(ability - difficulty, 0.25))
          return { userId, exam, finishedAt: new Date(now.getTime() - (turn + 1) * 3_600_000), isRight }
        })
      }),
    )
  return bank.courseId
}
