import type * as Library from '@simplewebauthn/browser'
import { askConfirmation, CallFailed, clientOf } from '../../../platform/api-client.ts'
import type { secondStepEndpoints } from './second-step-endpoints.server.ts'
import type { secondFactorApi } from './second-factor-endpoints.server.ts'
import type { sessionsApi } from '../sessions/sessions-endpoints.server.ts'
import { copy } from './second-factor.copy.ts'

const call = clientOf<typeof secondFactorApi>()
const callStep = clientOf<typeof secondStepEndpoints>()
const callSessions = clientOf<typeof sessionsApi>()

type TypedProof = { readonly password: string } | { readonly code: string } | { readonly recoveryCode: string }

export const beginAuthenticator = () => call('POST', '/api/auth/authenticator')
export const enableAuthenticator = (code: string) => call('POST', '/api/auth/authenticator/enable', { body: { code } })
export const removeAuthenticator = () => call('DELETE', '/api/auth/authenticator')
export const renewRecoveryCodes = () => call('POST', '/api/auth/recovery-codes')

export const renamePasskey = (passkeyId: string, name: string) =>
  call('PATCH', '/api/auth/passkeys/:passkeyId', { params: { passkeyId }, body: { name } })
export const removePasskey = (passkeyId: string) =>
  call('DELETE', '/api/auth/passkeys/:passkeyId', { params: { passkeyId } })

/** Creates a passkey in the browser and adds it to the account. */
export async function addPasskey(name: string): Promise<void> {
  const passkey = await createPasskey(await call('POST', '/api/auth/passkeys/options'))
  await call('POST', '/api/auth/passkeys', { body: { name, passkey } })
}

/** Signs in with any passkey of this site. */
export async function signInWithPasskey() {
  const passkey = await usePasskey(await callStep('POST', '/api/auth/passkey-sign-in/options'))
  return callStep('POST', '/api/auth/passkey-sign-in', { body: { passkey } })
}

export const finishSecondStep = (proof: { code: string } | { recoveryCode: string }) =>
  callStep('POST', '/api/auth/second-step', { body: proof })

export async function finishSecondStepWithPasskey() {
  const passkey = await usePasskey(await callStep('POST', '/api/auth/second-step/options'))
  return callStep('POST', '/api/auth/second-step', { body: { passkey } })
}

export const giveUpSecondStep = () => callStep('DELETE', '/api/auth/second-step')

export const readConfirmation = () => call('GET', '/api/auth/confirmation')
export const confirm = (proof: TypedProof) => callSessions('POST', '/api/auth/confirmation', { body: proof })

export async function confirmWithPasskey() {
  const passkey = await usePasskey(await call('POST', '/api/auth/confirmation/options'))
  return callSessions('POST', '/api/auth/confirmation', { body: { passkey } })
}

/**
 * Asks for a confirmation unless there was a recent one, for actions that are not calls, such as a download. False when the
 * user cancels.
 */
export async function ensureConfirmed(): Promise<boolean> {
  return (await readConfirmation()).isConfirmed || (await askConfirmation())
}

type BrowserLibrary = typeof Library
type RegistrationOptions = Parameters<BrowserLibrary['startRegistration']>[0]['optionsJSON']
type AssertionOptions = Parameters<BrowserLibrary['startAuthentication']>[0]['optionsJSON']

async function createPasskey(options: object) {
  return withLibrary(async ({ startRegistration }) => {
    const { clientExtensionResults: _, ...passkey } = await startRegistration({
      optionsJSON: options as RegistrationOptions,
    })
    return passkey
  })
}

async function usePasskey(options: object) {
  return withLibrary(async ({ startAuthentication }) => {
    const { clientExtensionResults: _, ...passkey } = await startAuthentication({
      optionsJSON: options as AssertionOptions,
    })
    return passkey
  })
}

/** Loads the code for WebAuthn when it is needed first. @throws CallFailed with a sentence for users */
async function withLibrary<Result>(use: (library: BrowserLibrary) => Promise<Result>): Promise<Result> {
  const library = await import('@simplewebauthn/browser')
  if (!library.browserSupportsWebAuthn()) throw refusal('passkey.unsupported')
  try {
    return await use(library)
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    throw refusal(name === 'InvalidStateError' ? 'passkey.exists' : 'passkey.canceled')
  }
}

function refusal(code: 'passkey.unsupported' | 'passkey.exists' | 'passkey.canceled'): CallFailed {
  return new CallFailed(0, { code, kind: 'authentication', message: copy[code] })
}
