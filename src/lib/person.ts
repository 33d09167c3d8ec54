import type { PersonId } from './ids.ts'

/** Who makes a request, as the session in the database says. */
export type Person = {
  readonly id: PersonId
  readonly email: string
  readonly name: string
  readonly role: 'student' | 'admin'
  readonly sessionToken: string
}
