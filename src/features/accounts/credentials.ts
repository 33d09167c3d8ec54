import { isBlank, lengthOf } from '../../lib/text.ts'
import { copy } from './accounts.copy.ts'

/** Longest email address, in characters. */
export const EMAIL_MAX = 320
export const PASSWORD_MIN = 8
/** Longer passwords are refused before they are hashed. */
export const PASSWORD_MAX = 256
export const NAME_MAX = 200

const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Whether a text has the form x@y.z without spaces and is not too long. */
export function isEmail(text: string): boolean {
  return lengthOf(text) <= EMAIL_MAX && email.test(text)
}

/** Why a name is not valid; null when it is. */
export function nameProblem(name: string): string | null {
  if (isBlank(name)) return copy['register.name.required']
  return lengthOf(name.trim()) > NAME_MAX ? copy['validate.name.max'] : null
}

/** Why a password is refused without being checked; null when it is not. */
export function passwordProblem(password: string): string | null {
  return lengthOf(password) > PASSWORD_MAX ? copy['validate.password.max'] : null
}

/** Addresses are compared in lower case. */
export function normaliseEmail(text: string): string {
  return text.trim().toLowerCase()
}

type PasswordRule = {
  readonly isMet: (password: string) => boolean
  /** The text in the live list under the field. */
  readonly item: string
  /** The text of the failed validation. */
  readonly sentence: string
}

const passwordRules: readonly PasswordRule[] = [
  {
    isMet: (p) => lengthOf(p) >= PASSWORD_MIN,
    item: copy['register.unmet.length'],
    sentence: copy['validate.password.length'],
  },
  { isMet: (p) => /\p{Lu}/u.test(p), item: copy['register.unmet.upper'], sentence: copy['validate.password.upper'] },
  { isMet: (p) => /\p{Ll}/u.test(p), item: copy['register.unmet.lower'], sentence: copy['validate.password.lower'] },
  { isMet: (p) => /\d/.test(p), item: copy['register.unmet.digit'], sentence: copy['validate.password.digit'] },
  {
    isMet: (p) => /[!@#$%^&*(),.?":{}|<>]/.test(p),
    item: copy['register.unmet.special'],
    sentence: copy['validate.password.special'],
  },
]

/** The rules that a password does not meet, in the order of the copy sheet. */
export function unmetPasswordRules(password: string): readonly PasswordRule[] {
  return passwordRules.filter((rule) => !rule.isMet(password))
}

export function isNewPassword(password: string): boolean {
  return unmetPasswordRules(password).length === 0 && passwordProblem(password) === null
}
