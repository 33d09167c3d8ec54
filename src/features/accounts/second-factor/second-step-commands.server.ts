import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { after, MINUTE_MS } from '../../../lib/time.ts'
import type { RequestContext } from '../../../platform/http/request-context.server.ts'
import { cookieHeader, readCookie } from '../../../platform/http/signed-cookie.server.ts'
import { fail } from './second-factor.schema.ts'
import { isWithin, SECOND_STEP_MINUTES } from './second-factor.ts'

/** The browser between the password and the second step of a sign-in: holds a token that works once. */
const STEP_COOKIE = 'altocert_second_step'
const PREFIX = 'second-step:'

const keyOf = (token: string) => `${PREFIX}${createHash('sha256').update(token).digest('base64url')}`

function stepCookie(appUrl: string, token: string): string {
  const maxAgeSeconds = token === '' ? 0 : SECOND_STEP_MINUTES * 60
  return cookieHeader(STEP_COOKIE, token, { maxAgeSeconds, isSecure: appUrl.startsWith('https:') })
}

/** Remembers that this browser has proved the first factor of a user. */
export async function beginSecondStep(
  { db, clock, appUrl, replyHeaders }: RequestContext,
  userId: UserId,
): Promise<void> {
  const now = clock.now()
  const token = randomBytes(32).toString('base64url')
  await sql`delete from verifications where identifier like ${`${PREFIX}%`} and value = ${userId} and expires_at <= ${now}`.execute(
    db,
  )
  await sql`insert into verifications (identifier, value, expires_at)
    values (${keyOf(token)}, ${userId}, ${after(now, SECOND_STEP_MINUTES * MINUTE_MS)})`.execute(db)
  replyHeaders.append('set-cookie', stepCookie(appUrl, token))
}

type StepUser = { readonly id: UserId; readonly email: string }

/** The user whose second step this browser is at; null when there is none. */
export async function findSecondStep({ db, clock, request }: RequestContext): Promise<StepUser | null> {
  const token = readCookie(request.headers.get('cookie'), STEP_COOKIE)
  if (token === null || token === '') return null
  const { rows } = await sql<StepUser & { expires_at: Date }>`
    select users.id, users.email, verifications.expires_at
    from verifications join users on users.id::text = verifications.value
    where identifier = ${keyOf(token)} and users.locked_at is null and users.deleted_at is null`.execute(db)
  const row = rows[0]
  if (row === undefined || !isWithin(row.expires_at, SECOND_STEP_MINUTES, clock.now())) return null
  return { id: row.id, email: row.email }
}

/** Ends the second step: it works once. @throws Failure second-factor.step-ended when it ended meanwhile */
export async function finishSecondStep(context: RequestContext): Promise<void> {
  if (!(await endSecondStep(context))) throw fail('second-factor.step-ended')
}

/** Ends the second step of this browser, if there is one. */
export async function endSecondStep({ db, request, appUrl, replyHeaders }: RequestContext): Promise<boolean> {
  const token = readCookie(request.headers.get('cookie'), STEP_COOKIE)
  if (token === null) return false
  replyHeaders.append('set-cookie', stepCookie(appUrl, ''))
  const { rows } = await sql`delete from verifications where identifier = ${keyOf(token)} returning 1`.execute(db)
  return rows.length > 0
}

/** Ends the second steps of a user in all browsers, for example after a new password. */
export async function endSecondStepsOf(tx: Db, userId: UserId): Promise<void> {
  await sql`delete from verifications where identifier like ${`${PREFIX}%`} and value = ${userId}`.execute(tx)
}
