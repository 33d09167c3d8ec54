import { z } from 'zod'
import { failureTable } from '../../lib/failure.ts'
import { copy } from './copy.ts'
import { isEmail, NAME_MAX, normaliseEmail, PASSWORD_MAX, unmetPasswordRules } from './rules.ts'

export const Email = z
  .string(copy['validate.email'])
  .refine((text) => isEmail(text.trim()), copy['validate.email'])
  .transform(normaliseEmail)

export const NewPassword = z
  .string(copy['validate.password.length'])
  .max(PASSWORD_MAX, copy['validate.password.max'])
  .superRefine((password, issues) => {
    for (const rule of unmetPasswordRules(password)) issues.addIssue({ code: 'custom', message: rule.sentence })
  })

export const SignIn = z.object({
  email: Email,
  password: z.string().min(1, copy['login.invalid']).max(PASSWORD_MAX, copy['login.invalid']),
})
export type SignIn = z.infer<typeof SignIn>

export const SignUp = z.object({
  name: z
    .string(copy['register.name.required'])
    .transform((text) => text.trim())
    .pipe(z.string().min(1, copy['register.name.required']).max(NAME_MAX, copy['validate.name.max'])),
  email: Email,
  password: NewPassword,
})
export type SignUp = z.infer<typeof SignUp>

export const OnlyEmail = z.object({ email: Email })
export const VerifyToken = z.object({ token: z.string().min(1, copy['verify.token']).max(2000, copy['verify.token']) })
export const ResetPassword = z.object({
  token: z.string().min(1, copy['reset.token']).max(500, copy['reset.token']),
  password: NewPassword,
})

/** Who is signed in, as pages know it. */
export const PersonView = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(['student', 'admin']),
})
export type PersonView = z.infer<typeof PersonView>

export const SessionView = z.object({ person: PersonView.nullable() })
export type SessionView = z.infer<typeof SessionView>

export const Done = z.object({ done: z.literal(true) })

export const fail = failureTable({
  'account.invalid-credentials': { status: 401, kind: 'authentication', sentence: copy['login.invalid'] },
  'account.unverified': { status: 403, kind: 'authentication', sentence: copy['login.unverified'] },
  'account.locked-now': { status: 423, kind: 'authentication', sentence: copy['login.lockout.now'] },
  'account.locked': { status: 423, kind: 'authentication', sentence: copy['login.lockout.later'] },
  'account.exists': { status: 409, kind: 'authentication', sentence: copy['register.exists'] },
  'account.bad-token': { status: 400, kind: 'authentication', sentence: copy['verify.token'] },
  'account.bad-reset-token': { status: 400, kind: 'authentication', sentence: copy['reset.token'] },
  'account.bad-deletion-token': { status: 400, kind: 'authentication', sentence: copy['deletion.token'] },
  'account.last-admin': { status: 409, kind: 'validation', sentence: copy['deletion.last-admin'] },
  'account.wrong-password': { status: 400, kind: 'authentication', sentence: copy['deletion.wrong-password'] },
  'account.google-away': { status: 503, kind: 'network', sentence: copy['login.google.failed'] },
  'account.failed': { status: 400, kind: 'authentication', sentence: copy['auth.failed'] },
})
