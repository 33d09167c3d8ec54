import type { UserId } from './ids.ts'

/** The signed-in user of a request, as found by its session. */
export type User = {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly role: 'student' | 'admin'
  readonly sessionToken: string
}
