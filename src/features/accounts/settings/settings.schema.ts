import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { Email, Name, NewPassword, PasswordProof } from '../accounts.schema.ts'
import { copy } from './settings.copy.ts'

export const ChangeName = z.object({ name: Name })
export const ChangePassword = z.object({ currentPassword: PasswordProof, password: NewPassword })
export const ChangeAddress = z.object({ email: Email, password: PasswordProof })
export const ConfirmAddress = z.object({
  token: z.string().min(1, copy['confirm-address.token']).max(500, copy['confirm-address.token']),
})
export const NewAddress = z.object({ email: z.string() })

/** What the account page shows of its user. */
export type AccountView = {
  readonly name: string
  readonly email: string
  /** False for those who only ever signed in with Google. */
  readonly hasPassword: boolean
  /** An address whose link waits to be opened. */
  readonly newAddress: { readonly email: string; readonly until: string } | null
}

export const fail = failureTable({
  'account.same-address': { status: 400, kind: 'validation', sentence: copy['account.address.same'] },
  'account.no-password': { status: 409, kind: 'authentication', sentence: copy['account.no-password'] },
  'account.bad-address-token': { status: 400, kind: 'authentication', sentence: copy['confirm-address.token'] },
})
