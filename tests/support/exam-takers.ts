import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../src/db/open.server.ts'
import type { CourseId, UserId } from '../../src/lib/ids.ts'
import { sessionCookieValue } from '../../src/features/accounts/sessions/session-cookie-queries.server.ts'
import { createAccount } from '../../src/features/accounts/accounts-commands.server.ts'
import { openSession } from '../../src/features/accounts/sessions/sessions-commands.server.ts'
import { grantAccess } from '../../src/features/access/access-commands.server.ts'
import { findExam } from '../../src/features/catalogue/catalogue-queries.server.ts'

/** A signed-in user with an open timed attempt. */
export type StartedTaker = {
  readonly writer: string
  readonly cookie: string
  readonly attemptId: string
  readonly questions: readonly { id: string; type: string; options: readonly { id: string }[] }[]
}

/** Adds a signed-in user with access to a course directly to the database. Returns the session cookie as a browser stores it. */
export async function makeLearner(
  db: Db,
  options: { dataDir: string; courseId: CourseId; passwordHash?: string },
): Promise<{ id: UserId; email: string; cookie: { name: string; value: string } }> {
  const { dataDir, courseId, passwordHash = '' } = options
  const now = new Date()
  const email = `taker-${randomUUID()}@example.com`
  const id = await createAccount(db, { name: 'Taker', email, passwordHash, isVerified: true })
  await grantAccess(db, { userId: id, courseId, source: 'grant', orderLineId: null, seatCode: null, now })
  const token = await openSession(db, { userId: id, now, networkAddress: '127.0.0.1', userAgent: null })
  const secret = (await readFile(join(dataDir, 'auth-secret'), 'utf8')).trim()
  const value = encodeURIComponent(sessionCookieValue(token, secret))
  return { id, email, cookie: { name: 'altocert.session_token', value } }
}

/** Adds users with access who start the exam over HTTP. */
export async function makeTakers(
  db: Db,
  options: { dataDir: string; url: string; count: number; examSlug: string },
): Promise<StartedTaker[]> {
  const { url, examSlug, dataDir } = options
  const exam = await findExam(db, examSlug)
  if (exam === null) throw new Error(`the catalogue has no exam ${examSlug}`)
  const takers: StartedTaker[] = []
  for (let number = 0; number < options.count; number += 1) {
    const { name, value } = (await makeLearner(db, { dataDir, courseId: exam.courseId })).cookie
    const cookie = `${name}=${value}`
    const writer = randomUUID()
    const reply = await fetch(`${url}/api/attempts`, {
      method: 'POST',
      headers: { origin: url, cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ examSlug, mode: 'timed', writer }),
    })
    if (!reply.ok) throw new Error(`could not start: ${await reply.text()}`)
    const attempt = (await reply.json()) as { id: string; questions: StartedTaker['questions'] }
    takers.push({ writer, cookie, attemptId: attempt.id, questions: attempt.questions })
  }
  return takers
}
