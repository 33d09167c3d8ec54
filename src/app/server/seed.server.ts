import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import { hashPassword } from '../../features/accounts/argon2-gateway.server.ts'
import { countUsers } from '../../features/accounts/accounts-queries.server.ts'
import { isCommonPassword } from '../../features/accounts/common-passwords-queries.server.ts'
import { normaliseEmail, repeatsOwner, repeatsProduct } from '../../features/accounts/credentials.ts'
import { ensureAdmin } from '../../features/accounts/accounts-commands.server.ts'
import { after, MINUTE_MS } from '../../lib/time.ts'
import type { Clock } from '../../platform/clock.server.ts'
import type { Env } from '../../platform/env.server.ts'
import type { Log } from '../../platform/log.server.ts'
import { projectRoot } from '../../platform/project-root.server.ts'
import { addCatalogueCourse } from '../catalogue-update/catalogue-additions-commands.server.ts'
import { readContent, type ContentCourse } from './content.server.ts'

export type Seeded = { readonly courses: number; readonly admin: { email: string; password: string | null } | null }

/**
 * Adds the demo catalogue to an empty database, and an admin where there is none. The `installation` table records that
 * the catalogue was added, so courses that an operator deleted do not come back.
 */
export async function seed(options: { db: Db; env: Env; clock: Clock; log: Log }): Promise<Seeded> {
  const { db, env, clock } = options
  const courses = env.demoCatalogue ? await addDemoCatalogue(options) : 0
  if (env.admin !== null) {
    if (isGuessable(env.admin, env.brandName))
      options.log.warn(
        'ADMIN_PASSWORD is easy to guess: it is among the most common passwords, or the address, or made of product names',
      )
    await ensureAdmin(db, {
      email: normaliseEmail(env.admin.email),
      passwordHash: await hashPassword(env.admin.password),
      now: clock.now(),
    })
    return { courses, admin: { email: env.admin.email, password: null } }
  }
  if (!env.isLoopback || !env.demoCatalogue || (await countUsers(db)).users > 0) return { courses, admin: null }
  const email = 'admin@altocert.example'
  const password = `${randomBytes(16).toString('base64url')}aA1!`
  await ensureAdmin(db, { email, passwordHash: await hashPassword(password), now: clock.now() })
  return { courses, admin: { email, password } }
}

function isGuessable({ email, password }: { email: string; password: string }, brand: string): boolean {
  return (
    isCommonPassword(password) || repeatsOwner(password, { email, name: 'Admin' }) || repeatsProduct(password, brand)
  )
}

async function addDemoCatalogue({ db, clock, log }: { db: Db; clock: Clock; log: Log }): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(4201002)`.execute(tx)
    const seeded = await tx.selectFrom('installation').where('key', '=', 'catalogue').select('key').executeTakeFirst()
    const anyCourse = await tx.selectFrom('courses').select('id').limit(1).executeTakeFirst()
    if (seeded !== undefined || anyCourse !== undefined) return 0
    const { courses, findings } = await readContent(join(projectRoot, 'content'))
    for (const finding of findings) log.warn({ finding }, 'finding in the demo catalogue')
    const now = clock.now()
    for (const [index, course] of courses.sort(byDemand).entries()) {
      // Lists show the newest course first, so the most sought-after course gets the latest time.
      const at = after(now, (index - courses.length) * MINUTE_MS)
      await addCatalogueCourse(tx, course, { status: 'published', now: at })
    }
    await tx
      .insertInto('installation')
      .values({ key: 'catalogue', value: JSON.stringify({ courses: courses.length }) })
      .execute()
    return courses.length
  })
}

const levels = ['practitioner', 'associate', 'professional', 'specialty']

/** Least sought-after first: from specialty down to practitioner, then by the number of questions that are sold. */
function byDemand(a: ContentCourse, b: ContentCourse): number {
  const count = ({ exams }: ContentCourse) =>
    exams.reduce((total, exam) => total + (exam.isFreeTrial ? 0 : exam.questions.length), 0)
  return levels.indexOf(b.category ?? '') - levels.indexOf(a.category ?? '') || count(a) - count(b)
}
