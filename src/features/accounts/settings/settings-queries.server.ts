import type { Db } from '../../../db/open.server.ts'
import type { User } from '../../../lib/user.ts'
import { findIdentity } from '../accounts-queries.server.ts'
import type { AccountView } from './settings.schema.ts'

export async function getAccount(db: Db, user: Pick<User, 'id' | 'email' | 'name'>, now: Date): Promise<AccountView> {
  const identity = await findIdentity(db, user.email.toLowerCase())
  const waiting = await db
    .selectFrom('address_changes')
    .where('user_id', '=', user.id)
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc')
    .select(['new_email', 'expires_at'])
    .executeTakeFirst()
  return {
    name: user.name,
    email: user.email,
    hasPassword: (identity?.passwordHash ?? '') !== '',
    newAddress: waiting === undefined ? null : { email: waiting.new_email, until: waiting.expires_at.toISOString() },
  }
}
