import type { generateRegistrationOptions } from '@simplewebauthn/server'
import type { UserId } from '../../../lib/ids.ts'
import { isLoopbackHost } from '../../../platform/env.server.ts'
import { fail, type PasskeyAssertion, type PasskeyAttestation } from './second-factor.schema.ts'
import { CHALLENGE_MINUTES } from './second-factor.ts'

/** Loaded at the first passkey: it takes 10 MB. */
const library = () => import('@simplewebauthn/server')

/** Where passkeys of this installation work. */
export type Site = { readonly rpId: string; readonly origins: readonly string[] }

/**
 * The site of a request: the host and origin of APP_URL. On a loopback address the request's own origin counts as well, as it does
 * for every other call of the demo.
 */
export function siteOf(request: Request, appUrl: string): Site {
  const [own, asked] = [new URL(appUrl), new URL(request.url)]
  const isLoopback = isLoopbackHost(own.hostname) && isLoopbackHost(asked.hostname)
  return { rpId: own.hostname, origins: isLoopback ? [own.origin, asked.origin] : [own.origin] }
}

type Transports = NonNullable<
  NonNullable<Parameters<typeof generateRegistrationOptions>[0]['excludeCredentials']>[number]['transports']
>
export type StoredPasskey = {
  readonly id: string
  readonly userId: UserId
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly transports: readonly string[]
}

const transportsOf = ({ transports }: { readonly transports: readonly string[] }) => [...transports] as Transports
const timeout = CHALLENGE_MINUTES * 60_000

export async function registrationOptions(
  { rpId }: Site,
  user: { id: UserId; email: string; name: string; brand: string },
  known: readonly Pick<StoredPasskey, 'id' | 'transports'>[],
) {
  return (await library()).generateRegistrationOptions({
    rpName: user.brand,
    rpID: rpId,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    timeout,
    excludeCredentials: known.map((passkey) => ({ id: passkey.id, transports: transportsOf(passkey) })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Options for any passkey of this site, or only for those of one user. */
export async function assertionOptions(
  { rpId }: Site,
  allowed: readonly Pick<StoredPasskey, 'id' | 'transports'>[] | null,
) {
  return (await library()).generateAuthenticationOptions({
    rpID: rpId,
    timeout,
    userVerification: 'required',
    ...(allowed === null
      ? {}
      : { allowCredentials: allowed.map((passkey) => ({ id: passkey.id, transports: transportsOf(passkey) })) }),
  })
}

/** The challenge that a browser signed, before anything is checked. @throws Failure passkey.foreign-site, passkey.refused */
export function challengeOf(answer: { response: { clientDataJSON: string } }, { origins }: Site): string {
  const { challenge, origin } = readClientData(answer.response.clientDataJSON)
  if (typeof challenge !== 'string' || typeof origin !== 'string') throw fail('passkey.refused')
  if (!origins.includes(origin)) throw fail('passkey.foreign-site', { detail: origin })
  return challenge
}

function readClientData(clientDataJSON: string): { challenge?: unknown; origin?: unknown } {
  try {
    const value: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** The new passkey. @throws Failure passkey.foreign-site, passkey.refused */
export async function readNewPasskey(
  answer: PasskeyAttestation,
  challenge: string,
  { rpId, origins }: Site,
): Promise<Omit<StoredPasskey, 'userId'>> {
  try {
    const { verifyRegistrationResponse } = await library()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserVerification: true,
    })
    if (!verified || registrationInfo === undefined) throw new Error('the attestation is not valid')
    const { id, publicKey, counter } = registrationInfo.credential
    return { id, publicKey, counter, transports: answer.response.transports }
  } catch (error) {
    throw refusalOf(error)
  }
}

/** Checks a passkey's signature and returns its new counter. @throws Failure passkey.foreign-site, passkey.refused */
export async function readAssertion(
  answer: PasskeyAssertion,
  challenge: string,
  { rpId, origins }: Site,
  passkey: StoredPasskey,
): Promise<number> {
  try {
    const { verifyAuthenticationResponse } = await library()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, response: withoutUndefined(answer.response), clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
        transports: transportsOf(passkey),
      },
    })
    if (!verified) throw new Error('the signature is not valid')
    return authenticationInfo.newCounter
  } catch (error) {
    throw refusalOf(error)
  }
}

function withoutUndefined({ userHandle, ...rest }: PasskeyAssertion['response']) {
  return userHandle === undefined ? rest : { ...rest, userHandle }
}

/** The library throws errors whose messages name the check that failed. They go to the log. */
function refusalOf(error: unknown) {
  const message = error instanceof Error ? error.message : String(error)
  return fail(/RP ID|origin/i.test(message) ? 'passkey.foreign-site' : 'passkey.refused', { detail: message })
}
