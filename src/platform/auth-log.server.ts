import type { RequestContext } from './http/request-context.server.ts'

type AuthEvent = {
  readonly event:
    | 'sign-in'
    | 'sign-in-failed'
    | 'sign-in-locked'
    | 'sign-out'
    | 'sign-up'
    | 'verification-sent'
    | 'verified'
    | 'reset-sent'
    | 'password-reset'
    | 'password-changed'
    | 'address-changed'
    | 'sessions-ended'
    | 'user-locked'
    | 'user-unlocked'
    | 'role-changed'
    | 'confirmed'
    | 'confirmation-failed'
    | 'authenticator-added'
    | 'authenticator-removed'
    | 'recovery-renewed'
    | 'passkey-added'
    | 'passkey-removed'
  /** The id of the user; the address as it was typed while nobody has proved to be its owner. */
  readonly account: string
  /** How: 'google', or the new role. */
  readonly by?: string
}

/** Logs an authentication event with its account and network address, for whoever watches the log for attacks. Never a secret. */
export function authEvent(context: Pick<RequestContext, 'log' | 'networkAddress' | 'user'>, event: AuthEvent): void {
  const { log, networkAddress, user } = context
  const actor = user === null || user.id === event.account ? {} : { actor: user.id }
  log.info({ ...event, ...actor, networkAddress }, 'authentication')
}
