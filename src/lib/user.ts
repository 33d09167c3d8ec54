import type { UserId } from './ids.ts'

/** Who makes a request, as the session in the database says. */
export type User = {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly role: 'student' | 'admin'
  readonly sessionToken: string
}
