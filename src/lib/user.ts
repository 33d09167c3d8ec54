import type { SessionId, UserId } from './ids.ts'
import { MINUTE_MS } from './time.ts'

/** The signed-in user of a request, as found by its session. */
export type User = {
  readonly id: UserId
  readonly email: string
  readonly name: string
  /** An admin who still lacks a required second factor has the rights of a student. */
  readonly role: 'student' | 'admin'
  /** True for an admin who has to set up a second factor first. */
  readonly isFactorMissing: boolean
  readonly sessionId: SessionId
  /** When the user last proved in this session who they are: at sign-in, or by a confirmation. */
  readonly confirmedAt: Date | null
}

/** How long a sign-in or a confirmation counts as proof for changes of money, roles, personal data and ways to sign in. */
const CONFIRMATION_MINUTES = 15

/** Whether the user proved lately who they are. A clock that was set back does not prolong it. */
export function isConfirmed({ confirmedAt }: Pick<User, 'confirmedAt'>, now: Date): boolean {
  const age = confirmedAt === null ? Infinity : now.getTime() - confirmedAt.getTime()
  return age >= -MINUTE_MS && age < CONFIRMATION_MINUTES * MINUTE_MS
}
