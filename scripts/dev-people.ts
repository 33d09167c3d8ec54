import type { Db } from '../src/db/open.server.ts'
import { findAccess } from '../src/features/access/read.server.ts'
import { grantAccess } from '../src/features/access/write.server.ts'
import { hashPassword } from '../src/features/accounts/gateway.server.ts'
import { findIdentity } from '../src/features/accounts/read.server.ts'
import { createAccount } from '../src/features/accounts/write.server.ts'
import { findCourse, listSlugs } from '../src/features/catalogue/read.server.ts'
import type { CourseId, PersonId } from '../src/lib/ids.ts'
import { after, DAY_MS } from '../src/lib/time.ts'

export const DEV_PASSWORD = 'Correct-Horse-7!'
export const devAdmin = { name: 'Ada', email: 'ada@example.com' }
const ana = { name: 'Ana', email: 'ana@example.com' }
const ben = { name: 'Ben', email: 'ben@example.com' }

/** Ana has access to the first course, Ben had it until a month ago; Ada came with the start. Says who can sign in. */
export async function settleDevPeople(db: Db, now: Date): Promise<string> {
  const [slug] = await listSlugs(db)
  const course = slug === undefined ? null : await findCourse(db, slug)
  const anaId = await settle(db, ana)
  const benId = await settle(db, ben)
  if (course !== null) {
    const courseId = course.id as CourseId
    const grant = { courseId, source: 'grant', orderLineId: null, seatCode: null } as const
    if ((await findAccess(db, anaId, courseId, now)).kind !== 'running')
      await grantAccess(db, { ...grant, personId: anaId, now })
    if ((await findAccess(db, benId, courseId, now)).kind === 'none')
      await grantAccess(db, { ...grant, personId: benId, now: after(now, -60 * DAY_MS) })
  }
  return [
    `Sign in with the password ${DEV_PASSWORD} as`,
    `  ${ana.email}  Ana, student with access`,
    `  ${ben.email}  Ben, expired`,
    `  ${devAdmin.email}  Ada, admin`,
  ].join('\n')
}

async function settle(db: Db, person: { name: string; email: string }): Promise<PersonId> {
  const known = await findIdentity(db, person.email)
  if (known !== null) return known.id
  return createAccount(db, { ...person, passwordHash: await hashPassword(DEV_PASSWORD), isVerified: true })
}
