import { z } from 'zod'
import { failureTable, fill, type Failure } from '../../lib/failure.ts'
import { copy } from './accounts.copy.ts'
import {
  isEmail,
  nameProblem,
  normaliseEmail,
  PASSWORD_MAX,
  passwordProblem,
  unmetPasswordRules,
} from './credentials.ts'

export const Email = z
  .string(copy['validate.email'])
  .refine((text) => isEmail(text.trim()), copy['validate.email'])
  .transform(normaliseEmail)

export const NewPassword = z.string(copy['validate.password.length']).superRefine((password, issues) => {
  const problem = passwordProblem(password)
  if (problem !== null) issues.addIssue({ code: 'custom', message: problem })
  for (const rule of unmetPasswordRules(password)) issues.addIssue({ code: 'custom', message: rule.sentence })
})

export const SignIn = z.object({
  email: Email,
  password: z
    .string(copy['login.invalid'])
    .refine((password) => password !== '' && passwordProblem(password) === null, copy['login.invalid']),
})
/** The present password, as proof of who is signed in. */
export const PasswordProof = z
  .string(copy['password.missing'])
  .refine((password) => password !== '', copy['password.missing'])
  .refine((password) => passwordProblem(password) === null, copy['password.wrong'])
export type SignIn = z.infer<typeof SignIn>

export const Name = z
  .string(copy['register.name.required'])
  .superRefine((name, issues) => {
    const problem = nameProblem(name)
    if (problem !== null) issues.addIssue({ code: 'custom', message: problem })
  })
  .transform((name) => name.trim())

export const SignUp = z.object({
  name: Name,
  email: Email,
  password: NewPassword,
})
export type SignUp = z.infer<typeof SignUp>

export const OnlyEmail = z.object({ email: Email })
export const VerifyToken = z.object({ token: z.string().min(1, copy['verify.token']).max(2000, copy['verify.token']) })
/** The password is needed in another browser than the one that signed up. */
export const VerifyEmail = VerifyToken.extend({ password: z.string().max(PASSWORD_MAX).optional() })
export const ResetPassword = z.object({
  token: z.string().min(1, copy['reset.token']).max(500, copy['reset.token']),
  password: NewPassword,
})

/** The signed-in user as pages know them. */
export const UserView = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(['student', 'admin']),
})
export type UserView = z.infer<typeof UserView>

export const SessionView = z.object({
  user: UserView.nullable(),
  /** Set when the sign-in needs a second step, with the ways that this user has set up. A recovery code goes with the code. */
  secondStep: z.object({ code: z.boolean(), passkey: z.boolean() }).optional(),
})
export type SessionView = z.infer<typeof SessionView>

export const fail = failureTable({
  'account.invalid-credentials': { status: 401, kind: 'authentication', sentence: copy['login.invalid'] },
  'account.unverified': { status: 403, kind: 'authentication', sentence: copy['login.unverified'] },
  'account.locked-now': { status: 423, kind: 'authentication', sentence: copy['login.lockout.now'] },
  'account.locked': { status: 423, kind: 'authentication', sentence: copy['login.lockout.later'] },
  'account.closed': { status: 403, kind: 'authentication', sentence: copy['login.closed.other'] },
  'account.exists': { status: 409, kind: 'authentication', sentence: copy['register.exists'] },
  'account.mismatch': { status: 400, kind: 'validation', sentence: copy['register.mismatch'] },
  'account.bad-token': { status: 400, kind: 'authentication', sentence: copy['verify.token'] },
  'account.password-needed': { status: 403, kind: 'authentication', sentence: copy['verify.password-needed'] },
  'account.guessable-password': { status: 400, kind: 'validation', sentence: copy['validate.password.common'] },
  'account.bad-reset-token': { status: 400, kind: 'authentication', sentence: copy['reset.token'] },
  'account.bad-deletion-token': { status: 400, kind: 'authentication', sentence: copy['deletion.token'] },
  'account.last-admin': { status: 409, kind: 'validation', sentence: copy['deletion.last-admin'] },
  'account.wrong-password': { status: 400, kind: 'authentication', sentence: copy['deletion.wrong-password'] },
  'account.google-away': { status: 503, kind: 'network', sentence: copy['login.google.failed'] },
  'account.failed': { status: 400, kind: 'authentication', sentence: copy['auth.failed'] },
})

/** The failure of a user whom an admin locked out, with the admin's reason. */
export function closedFailure(reason: string | null): Failure {
  return reason === null
    ? fail('account.closed')
    : fail('account.closed', { sentence: fill(copy['login.closed'], { reason }) })
}
