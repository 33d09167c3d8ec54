import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { encode } from 'uqr'
import type { UserId } from '../../../lib/ids.ts'
import { CODE_DIGITS, CODE_SECONDS, CODE_WINDOW_STEPS, codeStep, RECOVERY_CODES } from './second-factor.ts'
import type { AuthenticatorSetup } from './second-factor.schema.ts'

const SECRET_BYTES = 20
const IV_BYTES = 12
const TAG_BYTES = 16

/** A key of its own for each purpose, so that none of them tells anything about the installation's secret. */
function keyFor(purpose: string, secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'altocert', purpose, 32))
}

/** A new secret in base32, as authenticator apps read it. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Encrypts the secret of an authenticator. It is bound to its user: copied to another row it opens nothing. */
export function sealSecret(totpSecret: string, userId: UserId, secret: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyFor('authenticator', secret), iv)
  cipher.setAAD(Buffer.from(userId))
  const sealed = Buffer.concat([cipher.update(totpSecret, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** The secret; null when it was sealed with another installation's secret, or changed. */
export function openSecret(sealedText: string, userId: UserId, secret: string): string | null {
  const sealed = Buffer.from(sealedText, 'base64url')
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyFor('authenticator', secret), sealed.subarray(0, IV_BYTES))
    decipher.setAAD(Buffer.from(userId))
    decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

const totpOf = (totpSecret: string) =>
  new TOTP({ secret: Secret.fromBase32(totpSecret), algorithm: 'SHA1', digits: CODE_DIGITS, period: CODE_SECONDS })

/** The step of the clock to which a code belongs; null when it belongs to none near now. */
export function stepOfCode(totpSecret: string, code: string, now: Date): number | null {
  const delta = totpOf(totpSecret).validate({ token: code, timestamp: now.getTime(), window: CODE_WINDOW_STEPS })
  return delta === null ? null : codeStep(now) + delta
}

/** What an authenticator app needs: the secret as text, as a link, and as a QR code of that link. */
export function setupOf(totpSecret: string, account: { email: string; brand: string }): AuthenticatorSetup {
  const totp = new TOTP({
    issuer: account.brand,
    label: account.email,
    secret: Secret.fromBase32(totpSecret),
    algorithm: 'SHA1',
    digits: CODE_DIGITS,
    period: CODE_SECONDS,
  })
  const url = totp.toString()
  const { data, size } = encode(url, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return { secret: totpSecret, url, qr: { size, path } }
}

/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
/** 138 random bits. */
const CODE_LENGTH = 28

/** New recovery codes as they are shown: seven groups of four. Earlier ones have three, and stay valid. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    return letters.replaceAll(/(.{4})(?=.)/g, '$1-')
  })
}

/** The stored form of a recovery code. The key keeps a stolen database from trying all codes. */
export function hashOfRecoveryCode(code: string, userId: UserId, secret: string): string {
  return createHmac('sha256', keyFor('recovery codes', secret)).update(`${userId}\n${code}`).digest('base64url')
}
