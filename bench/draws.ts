import { randomUUID } from 'node:crypto'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { migrate } from '../src/db/migrate.server.ts'
import { openDatabase, type Db } from '../src/db/open.server.ts'
import { createAccount } from '../src/features/accounts/accounts-commands.server.ts'
import type { EntitledCourse } from '../src/features/access/access.schema.ts'
import { addCourse, addExam } from '../src/features/catalogue/catalogue-commands.server.ts'
import { startMockExam } from '../src/features/study/mock-exams/mock-exams-commands.server.ts'
import type { CourseId, UserId } from '../src/lib/ids.ts'
import { cents } from '../src/lib/money.ts'
import { dataFolder } from './server.ts'
import { figureRow, limitRow, logged, type Row } from './table.ts'

const EXAMS = 40
const QUESTIONS = 50
const ROUNDS = 15
const LIMIT_MS = 300

/** Drawing and starting an exam from a bank of 2,000, beside a twin that only reads the bank from the database and parses it. */
export async function benchDrawnExams(): Promise<Row[]> {
  const folder = await dataFolder()
  const embedded = await startEmbedded({ dataDir: folder.path })
  const { db, pool, close } = openDatabase(embedded.url, { connections: 4 })
  try {
    await migrate(pool)
    const courseId = await fill(db)
    const times: { readonly ours: number; readonly twin: number }[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const proof = await aLearner(db, courseId)
      const twin = await timeOf(() => readBank(db, courseId))
      const ours = await timeOf(() => startMockExam(db, { proof, kind: 'mock', replaces: undefined, now: new Date() }))
      // The first round reads the exams into memory.
      if (round > 0) times.push({ ours, twin })
    }
    const [ours, twin] = [medianOf(times.map((time) => time.ours)), medianOf(times.map((time) => time.twin))]
    return [
      logged(limitRow('drawing and starting a mock exam from a bank of 2,000', ours, LIMIT_MS, 'ms', 0)),
      logged(
        figureRow('beside a twin that only reads the bank', `${(ours / twin).toFixed(1)} times ${twin.toFixed(0)} ms`),
      ),
    ]
  } finally {
    await close()
    await embedded.stop()
    await folder.remove()
  }
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

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

async function aLearner(db: Db, courseId: CourseId): Promise<EntitledCourse> {
  const name = { name: 'L', email: `${randomUUID()}@example.com`, passwordHash: '', isVerified: true }
  const userId: UserId = await createAccount(db, name)
  return { userId, courseId, until: null, proof: 'access' }
}

async function fill(db: Db): Promise<CourseId> {
  const now = new Date()
  const course = { title: 'A bank of 2,000', description: '', priceCents: cents(1000), category: 'associate' } as const
  const courseId = await addCourse(db, { ...course, blueprint: null, ownerId: null, now })
  for (let number = 0; number < EXAMS; number++) {
    const questions = Array.from({ length: number === 0 ? QUESTIONS + 15 : QUESTIONS }, (_, place) =>
      questionOf(number * 100 + place),
    )
    await addExam(db, {
      courseId,
      title: `Bank ${number}`,
      slug: `bank-${randomUUID()}`,
      questions,
      passingScore: 70,
      timeLimitMinutes: 130,
      isFreeTrial: false,
      position: number,
      category: 'associate',
      now,
    })
  }
  return courseId
}

const LEVELS = ['easy', 'medium', 'hard'] as const

function questionOf(number: number) {
  const id = `bench-${number}`
  return {
    type: 'choice' as const,
    id,
    stem: `Question ${number}?`,
    options: Array.from({ length: 4 }, (_, place) => ({
      id: `${id}-${place}`,
      text: `Option ${place}`,
      isRight: place === 0,
    })),
    explanation: 'Because.',
    domain: `Domain ${number % 4}`,
    needsReview: false,
    url: 'https://docs.example.com/',
    suggestedOptionIds: [],
    mostVotedOptionIds: [],
    difficulty: LEVELS[number % 3] ?? ('medium' as const),
  }
}
