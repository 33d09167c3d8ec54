import type { Db } from '../src/db/open.server.ts'
import { findAccess } from '../src/features/access/access-queries.server.ts'
import { grantAccess } from '../src/features/access/access-commands.server.ts'
import { hashPassword } from '../src/features/accounts/argon2-gateway.server.ts'
import { findIdentity } from '../src/features/accounts/accounts-queries.server.ts'
import { createAccount } from '../src/features/accounts/accounts-commands.server.ts'
import { findCourse, listSlugs } from '../src/features/catalogue/catalogue-queries.server.ts'
import type { CourseId, SessionId, UserId } from '../src/lib/ids.ts'
import { after, DAY_MS } from '../src/lib/time.ts'
import { simulateYear } from './demo-year.ts'

export const DEV_PASSWORD = 'Correct-Horse-7!'
export const devAdmin = { name: 'Ada', email: 'ada@example.com' }
const ana = { name: 'Ana', email: 'ana@example.com' }
const cleo = { name: 'Cleo', email: 'cleo@example.com' }
const ben = { name: 'Ben', email: 'ben@example.com' }

/**
 * Ensures two students: Ana has access to the first course, and Ben's access ended a month ago. The admin Ada exists since the
 * start. Returns the credentials as text.
 */
export async function ensureDevUsers(db: Db, now: Date): Promise<string> {
  const [slug] = await listSlugs(db)
  const course = slug === undefined ? null : await findCourse(db, slug)
  const anaId = await ensureUser(db, ana)
  const benId = await ensureUser(db, ben)
  if (course !== null) {
    const courseId = course.id as CourseId
    const grant = { courseId, source: 'grant', orderLineId: null, seatCode: null } as const
    if ((await findAccess(db, anaId, courseId, now)).kind !== 'running')
      await grantAccess(db, { ...grant, userId: anaId, now })
    if ((await findAccess(db, benId, courseId, now)).kind === 'none')
      await grantAccess(db, { ...grant, userId: benId, now: after(now, -60 * DAY_MS) })
  }
  return [
    `Sign in with the password ${DEV_PASSWORD} as`,
    `  ${ana.email}  Ana, student with access`,
    `  ${cleo.email}  Cleo, with a year of study: see Progress (in a minute, at the first start)`,
    `  ${ben.email}  Ben, expired`,
    `  ${devAdmin.email}  Ada, admin`,
  ].join('\n')
}

/** Gives Cleo a year of study in the first course, unless she has one. It takes a minute, so it runs beside the server. */
export async function ensureDemoYear(db: Db, now: Date): Promise<void> {
  const [slug] = await listSlugs(db)
  const course = slug === undefined ? null : await findCourse(db, slug)
  if (course === null) return
  const id = await ensureUser(db, cleo)
  const courseId = course.id as CourseId
  if ((await findAccess(db, id, courseId, now)).kind !== 'none') return
  const session = { sessionId: '' as SessionId, confirmedAt: null }
  await simulateYear(db, { user: { ...cleo, id, role: 'student', isFactorMissing: false, ...session }, courseId, now })
}

async function ensureUser(db: Db, user: { name: string; email: string }): Promise<UserId> {
  const known = await findIdentity(db, user.email)
  if (known !== null) return known.id
  return createAccount(db, { ...user, passwordHash: await hashPassword(DEV_PASSWORD), isVerified: true })
}
