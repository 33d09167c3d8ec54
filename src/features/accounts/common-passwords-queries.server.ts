import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../platform/project-root.server.ts'
import { copy } from './accounts.copy.ts'
import { fail } from './accounts.schema.ts'
import { repeatsOwner, repeatsProduct } from './credentials.ts'

/** Read when the module loads, so that a missing file is noticed at the start. Its first lines name source and license. */
const commonPasswords: ReadonlySet<string> = new Set(
  readFileSync(join(projectRoot, 'src/features/accounts/common-passwords.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# ')),
)

/** Whether a password is among those that attackers try first, in upper or lower case. */
export function isCommonPassword(password: string): boolean {
  return commonPasswords.has(password.toLowerCase())
}

/** Refuses a new password that is easy to guess. @throws Failure account.guessable-password */
export function requireUnguessable(
  password: string,
  owner: { readonly email: string; readonly name: string },
  brand: string,
): void {
  const message = isCommonPassword(password)
    ? copy['validate.password.common']
    : repeatsOwner(password, owner)
      ? copy['validate.password.own']
      : repeatsProduct(password, brand)
        ? copy['validate.password.product']
        : null
  if (message !== null)
    throw fail('account.guessable-password', { sentence: message, fields: [{ field: 'password', message }] })
}
