import { randomUUID } from 'node:crypto'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { migrate } from '../src/db/migrate.server.ts'
import { openDatabase, type Db } from '../src/db/open.server.ts'
import { createAccount } from '../src/features/accounts/accounts-commands.server.ts'
import { addCourse, addExam } from '../src/features/catalogue/catalogue-commands.server.ts'
import type { CourseId, UserId } from '../src/lib/ids.ts'
import { cents } from '../src/lib/money.ts'
import { dataFolder } from './server.ts'

/** Runs a bench with an empty database of its own, without a server. */
export async function withDatabase<Result>(run: (db: Db) => Promise<Result>): Promise<Result> {
  const folder = await dataFolder()
  const embedded = await startEmbedded({ dataDir: folder.path })
  const { db, pool, close } = openDatabase(embedded.url, { connections: 4 })
  try {
    await migrate(pool)
    return await run(db)
  } finally {
    await close()
    await embedded.stop()
    await folder.remove()
  }
}

export type BankExam = { readonly id: string; readonly courseId: CourseId; readonly questions: readonly BankQuestion[] }

/** A course with a bank of as many exams, each with the given number of questions. */
export async function addBank(
  db: Db,
  examSizes: readonly number[],
): Promise<{ courseId: CourseId; exams: BankExam[] }> {
  const now = new Date()
  const course = { title: 'A bank of 2,000', description: '', priceCents: cents(1000), category: 'associate' } as const
  const courseId = await addCourse(db, { ...course, blueprint: null, ownerId: null, now })
  const exams: BankExam[] = []
  for (const [number, size] of examSizes.entries()) {
    const questions = Array.from({ length: size }, (_, place) => questionOf(number * 100 + place))
    const id = await addExam(db, {
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
    exams.push({ id, courseId, questions })
  }
  return { courseId, exams }
}

export function addLearner(db: Db): Promise<UserId> {
  return createAccount(db, { name: 'L', email: `${randomUUID()}@example.com`, passwordHash: '', isVerified: true })
}

const LEVELS = ['easy', 'medium', 'hard'] as const
type BankQuestion = ReturnType<typeof questionOf>

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
