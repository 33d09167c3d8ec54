import type { Db } from '../../../db/open.server.ts'
import type { Log } from '../../../platform/log.server.ts'
import type { createAuth } from './better-auth-gateway.server.ts'

export type GoogleClient = { readonly clientId: string; readonly clientSecret: string; readonly issuer: string }

export type GoogleSignIn = {
  /** Redirects to the provider. @throws Error when the provider cannot be reached. */
  start(request: Request, returnTo: string): Promise<Response>
  /** Handles the redirect back from the provider: signs in and redirects. */
  callback(request: Request): Promise<Response>
}

export type GoogleSignInOptions = {
  readonly db: Db
  readonly appUrl: string
  readonly secret: string
  readonly client: GoogleClient
  readonly log: Log
}

/**
 * Google, or any OpenID provider, through better-auth. The provider is discovered at the first use and not at the start,
 * because the emulator runs in this process and a real provider may be down for a moment. better-auth, too, is loaded only then: it
 * takes 27 MB.
 */
export function createGoogleSignIn(options: GoogleSignInOptions): GoogleSignIn {
  let ready: ReturnType<typeof createAuth> | null = null

  async function provider() {
    if (ready !== null) return ready
    const { issuer } = options.client
    await checkDiscovery(issuer)
    const { createAuth } = await import('./better-auth-gateway.server.ts')
    const auth = createAuth(options, discoveryUrl(issuer))
    const google = (await auth.$context).socialProviders.find(({ id }) => id === 'google')
    if (google === undefined) throw new Error(`the OpenID provider ${issuer} could not be reached`)
    // better-auth reads the document itself, and accepts ID tokens of this issuer only.
    if (!isSameIssuer(google.issuer, issuer)) throw new Error(`the OpenID provider ${issuer} is ${google.issuer}`)
    ready = auth
    return ready
  }

  return {
    async start(request, returnTo) {
      const auth = await provider()
      const reply = await auth.api.signInSocial({
        body: {
          provider: 'google',
          callbackURL: returnTo,
          errorCallbackURL: '/login?error=google',
          disableRedirect: true,
        },
        headers: request.headers,
        asResponse: true,
      })
      const { url } = (await reply.clone().json()) as { url?: string }
      if (!reply.ok || url === undefined) throw new Error(`the OpenID provider refused: ${reply.status}`)
      const headers = new Headers({ location: url, 'cache-control': 'no-store' })
      for (const cookie of reply.headers.getSetCookie()) headers.append('set-cookie', cookie)
      return new Response(null, { status: 303, headers })
    },
    async callback(request) {
      return (await provider()).handler(request)
    },
  }
}

const discoveryUrl = (issuer: string) => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

const isSameIssuer = (named: unknown, issuer: string) =>
  typeof named === 'string' && named.replace(/\/$/, '') === issuer.replace(/\/$/, '')

/** A provider whose document lies elsewhere, or names another issuer, is refused. @throws Error */
async function checkDiscovery(issuer: string): Promise<void> {
  const reply = await fetch(discoveryUrl(issuer), { redirect: 'error', signal: AbortSignal.timeout(10_000) })
  const document = (await reply.json()) as { issuer?: unknown } | null
  if (!reply.ok || !isSameIssuer(document?.issuer, issuer))
    throw new Error(`the OpenID provider ${issuer} answered ${reply.status} and names the issuer ${document?.issuer}`)
}
