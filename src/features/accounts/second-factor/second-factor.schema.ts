import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { lengthOf } from '../../../lib/text.ts'
import { copy as accountsCopy } from '../accounts.copy.ts'
import { PASSWORD_MAX } from '../credentials.ts'
import { copy } from './second-factor.copy.ts'
import { CODE_DIGITS, normaliseCode, normaliseRecoveryCode, PASSKEY_NAME_MAX } from './second-factor.ts'

const Code = z
  .string(copy['code.format'])
  .max(40, copy['code.format'])
  .transform(normaliseCode)
  .refine((code) => new RegExp(`^\\d{${CODE_DIGITS}}$`).test(code), copy['code.format'])
const RecoveryCode = z
  .string(copy['recovery.format'])
  .min(1, copy['recovery.format'])
  .max(100, copy['recovery.wrong'])
  .transform(normaliseRecoveryCode)

/** Base64url texts of WebAuthn; the largest hold a key and its attestation. */
const Bytes = z.string(copy['passkey.refused']).max(20_000, copy['passkey.refused'])
const credential = {
  id: Bytes.max(2000, copy['passkey.refused']),
  rawId: Bytes.max(2000, copy['passkey.refused']),
  type: z.literal('public-key', copy['passkey.refused']),
}

/** What a browser answers to a challenge with an existing passkey. */
export const PasskeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Bytes.nullish().transform((handle) => handle ?? undefined),
  }),
})
export type PasskeyAssertion = z.output<typeof PasskeyAssertion>

/** What a browser answers when it has created a passkey. */
const PasskeyAttestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
})
export type PasskeyAttestation = z.output<typeof PasskeyAttestation>

const PasskeyName = z
  .string(copy['passkey.name'])
  .trim()
  .min(1, copy['passkey.name'])
  .refine((name) => lengthOf(name) <= PASSKEY_NAME_MAX, copy['passkey.name.max'])
  // Control characters would break lists and emails.
  .transform((name) => name.replaceAll(/\p{Cc}/gu, ' '))

export const NewPasskey = z.object({ name: PasskeyName, passkey: PasskeyAttestation })
export const RenamePasskey = z.object({ name: PasskeyName })
export const PasskeyPath = z.object({ passkeyId: z.string().min(1).max(2000) })
export const PasskeySignIn = z.object({ passkey: PasskeyAssertion })
export const EnableAuthenticator = z.object({ code: Code })

const factorProofs = {
  code: Code.optional(),
  recoveryCode: RecoveryCode.optional(),
  passkey: PasskeyAssertion.optional(),
}
const isOneProof = (proof: object) => Object.values(proof).filter((value) => value !== undefined).length === 1

/** One proof of a second factor. */
export const FactorProof = z.object(factorProofs).refine(isOneProof, copy['proof.one'])
export type FactorProof = z.output<typeof FactorProof>

/** One proof of who is signed in. */
export const Confirmation = z
  .object({
    ...factorProofs,
    password: z
      .string(accountsCopy['login.invalid'])
      .min(1, accountsCopy['login.invalid'])
      .max(PASSWORD_MAX, accountsCopy['login.invalid'])
      .optional(),
  })
  .refine(isOneProof, copy['proof.one'])
export type Confirmation = z.output<typeof Confirmation>

/** Options of WebAuthn as the browser's library reads them. */
export const PasskeyOptions = z.record(z.string(), z.unknown())
export type PasskeyOptions = z.infer<typeof PasskeyOptions>

export const ConfirmationState = z.object({
  isConfirmed: z.boolean(),
  methods: z.object({ password: z.boolean(), google: z.boolean(), code: z.boolean(), passkey: z.boolean() }),
})
export type ConfirmationState = z.infer<typeof ConfirmationState>

/** A new authenticator before it is turned on. The path draws the QR code in a square of `size` modules. */
export const AuthenticatorSetup = z.object({
  secret: z.string(),
  url: z.string(),
  qr: z.object({ size: z.number().int(), path: z.string() }),
})
export type AuthenticatorSetup = z.infer<typeof AuthenticatorSetup>

export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

const PasskeyEntry = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
})
export type PasskeyEntry = z.infer<typeof PasskeyEntry>

/** What a user has set up. */
export const SecondFactorView = z.object({
  /** When the authenticator app was turned on; null without one. */
  authenticatorSince: z.string().nullable(),
  recoveryCodesLeft: z.number().int(),
  passkeys: z.array(PasskeyEntry),
})
export type SecondFactorView = z.infer<typeof SecondFactorView>

export const fail = failureTable({
  'second-factor.wrong-code': { status: 400, kind: 'authentication', sentence: copy['code.wrong'] },
  'second-factor.code-used': { status: 400, kind: 'authentication', sentence: copy['code.used'] },
  'second-factor.clock': { status: 409, kind: 'authentication', sentence: copy['code.clock'] },
  'second-factor.unreadable': { status: 409, kind: 'authentication', sentence: copy['code.unreadable'] },
  'second-factor.wrong-recovery-code': { status: 400, kind: 'authentication', sentence: copy['recovery.wrong'] },
  'second-factor.needed': { status: 400, kind: 'authentication', sentence: copy['proof.factor'] },
  'second-factor.step-ended': { status: 401, kind: 'authentication', sentence: copy['step.ended'] },
  'authenticator.exists': { status: 409, kind: 'validation', sentence: copy['authenticator.exists'] },
  'authenticator.missing': { status: 409, kind: 'validation', sentence: copy['authenticator.missing'] },
  'passkey.expired': { status: 400, kind: 'authentication', sentence: copy['passkey.expired'] },
  'passkey.refused': { status: 400, kind: 'authentication', sentence: copy['passkey.refused'] },
  'passkey.foreign-site': { status: 400, kind: 'authentication', sentence: copy['passkey.foreign-site'] },
  'passkey.unknown': { status: 400, kind: 'authentication', sentence: copy['passkey.unknown'] },
  'passkey.exists': { status: 409, kind: 'validation', sentence: copy['passkey.exists'] },
  'passkey.too-many': { status: 409, kind: 'validation', sentence: copy['passkey.too-many'] },
  'passkey.not-found': { status: 404, kind: 'database', sentence: copy['passkey.not-found'] },
})
