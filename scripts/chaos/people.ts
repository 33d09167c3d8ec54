import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db, OpenDatabase } from '../../src/db/open.server.ts'
import { sessionCookieValue } from '../../src/features/accounts/sessions/session-cookie-queries.server.ts'
import { createAccount, ensureAdmin } from '../../src/features/accounts/accounts-commands.server.ts'
import { openSession } from '../../src/features/accounts/sessions/sessions-commands.server.ts'
import { aCourse, anExam, aQuestion } from '../../tests/support/build-course.ts'
import { makeTakers, type StartedTaker } from '../../tests/support/exam-takers.ts'
import type { UserId } from '../../src/lib/ids.ts'
import type { Goods } from './shop-buyers.ts'

/** Everybody who will be busy, and the course that it is about. */
export type People = {
  readonly takers: readonly StartedTaker[]
  /** Cookies. */
  readonly buyers: readonly string[]
  readonly admin: string
  /** Looks whether all is well. */
  readonly prober: { readonly taker: StartedTaker; readonly buyer: string }
  readonly goods: Goods
  readonly courseSlug: string
}

const QUESTIONS = 20

export async function makePeople(
  { db }: OpenDatabase,
  { dataDir, url, takers, buyers }: { dataDir: string; url: string; takers: number; buyers: number },
): Promise<People> {
  const secret = (await readFile(join(dataDir, 'auth-secret'), 'utf8')).trim()
  const course = await aCourse(db, { title: 'Chaos', priceCents: 1999 })
  const exam = await anExam(db, course.id, {
    questions: Array.from({ length: QUESTIONS }, (_, number) => aQuestion(number)),
    timeLimitMinutes: 90,
  })
  const started = await makeTakers(db, { dataDir, url, count: takers + 1, examSlug: exam.slug })
  const cookies: string[] = []
  for (let number = 0; number <= buyers; number += 1) cookies.push(await signIn(db, secret, await aBuyer(db)))
  const email = `admin-${randomUUID()}@example.com`
  await ensureAdmin(db, { email, passwordHash: null, now: new Date() })
  const { id } = await db.selectFrom('users').where('email', '=', email).select('id').executeTakeFirstOrThrow()
  return {
    takers: started.slice(1),
    buyers: cookies.slice(1),
    admin: await signIn(db, secret, id as UserId),
    prober: { taker: started[0]!, buyer: cookies[0]! },
    goods: { id: course.id, price: 19.99 },
    courseSlug: course.slug,
  }
}

function aBuyer(db: Db): Promise<UserId> {
  const email = `buyer-${randomBytes(6).toString('hex')}@example.com`
  return createAccount(db, { name: 'Ben Buyer', email, passwordHash: '', isVerified: true })
}

async function signIn(db: Db, secret: string, userId: UserId): Promise<string> {
  const token = await openSession(db, { userId, now: new Date(), networkAddress: '127.0.0.1', userAgent: 'chaos' })
  return `altocert.session_token=${encodeURIComponent(sessionCookieValue(token, secret))}`
}
