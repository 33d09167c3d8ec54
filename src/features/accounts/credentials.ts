import { isBlank, lengthOf } from '../../lib/text.ts'
import { copy } from './accounts.copy.ts'

/** Longest email address, in characters. */
export const EMAIL_MAX = 320
export const PASSWORD_MIN = 8
/** Longer passwords are refused before they are hashed. */
export const PASSWORD_MAX = 256
const NAME_MAX = 200

const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Whether a text has the form x@y.z without spaces and is not too long. */
export function isEmail(text: string): boolean {
  return lengthOf(text) <= EMAIL_MAX && email.test(text)
}

/** Control characters, line breaks, and characters that change the direction of the following text. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu
/** The address of a page: a scheme, www., or a domain with a path. 'J. R. Smith' and 'Dr. Müller' have none. */
const PAGE_ADDRESS = /https?:|:\/\/|\bwww\.|[\p{L}\p{N}-]\.[\p{L}-]{2,}(?::\d+)?[/?#]/iu

/** Why a name is not valid; null when it is. */
export function nameProblem(name: string): string | null {
  if (isBlank(name)) return copy['register.name.required']
  if (lengthOf(name.trim()) > NAME_MAX) return copy['validate.name.max']
  if (name.trim().search(CONTROLS) >= 0) return copy['validate.name.controls']
  return PAGE_ADDRESS.test(name) ? copy['validate.name.address'] : null
}

/** A name from elsewhere, such as Google, without what `nameProblem` refuses; the beginning of the email address when nothing is left. */
export function cleanName(name: string, email: string): string {
  const clean = (text: string) => {
    const words = text.replaceAll(CONTROLS, ' ').split(/\s+/)
    const kept = words.filter((word) => !PAGE_ADDRESS.test(word)).join(' ')
    return [...kept.trim()].slice(0, NAME_MAX).join('').trim()
  }
  const cleaned = [name, email.split('@')[0] ?? ''].map(clean).find((one) => nameProblem(one) === null)
  return cleaned ?? copy['name.unknown']
}

/** Why a password is refused without being checked; null when it is not. */
export function passwordProblem(password: string): string | null {
  return lengthOf(password) > PASSWORD_MAX ? copy['validate.password.max'] : null
}

/**
 * Whether a password is its owner's address, the part before the @, or the name, which others know. Compared without case and
 * spaces.
 */
export function repeatsOwner(password: string, owner: { readonly email: string; readonly name: string }): boolean {
  const bare = (text: string) => text.toLowerCase().replaceAll(/\s/g, '')
  const [beforeAt = ''] = owner.email.split(/@(?=[^@]*$)/)
  return [owner.email, beforeAt, owner.name].map(bare).includes(bare(password))
}

/** The words of the product that a password may not consist of; the name of the brand comes from the settings. */
const PRODUCT_WORDS = ['altocert', 'alto', 'admin', 'administrator', 'root', 'student', 'learner', 'user', 'support']
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/**
 * Whether a password is made of the names of the brand, the product and its roles: without case, the digits and signs around and between
 * them, and the digits and signs that stand for letters. 'Altocert2026!' and 'Adm1n-Student!' are.
 */
export function repeatsProduct(password: string, brand: string): boolean {
  const lettersOf = (text: string) => text.toLowerCase().replaceAll(/\P{L}/gu, '')
  const words = [...PRODUCT_WORDS, ...brand.split(/\s+/).map(lettersOf), lettersOf(brand)].filter((word) => word !== '')
  const read = (text: string) => lettersOf([...text].map((sign) => LOOK_ALIKES[sign] ?? sign).join(''))
  const head = password.toLowerCase().replace(/\P{L}+$/u, '')
  const core = head.replace(/^\P{L}+/u, '')
  return [lettersOf(password), read(head), read(core)].some((letters) => isMadeOf(letters, words))
}

/** Whether a text is a sequence of these words. */
function isMadeOf(text: string, words: readonly string[]): boolean {
  const ends = new Set([0])
  // Iterating over a set also visits members that are added meanwhile.
  for (const end of ends) for (const word of words) if (text.startsWith(word, end)) ends.add(end + word.length)
  return text !== '' && ends.has(text.length)
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
