import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins'
import type { Db } from '../../../db/open.server.ts'
import type { Log } from '../../../platform/log.server.ts'
import { cleanName } from '../credentials.ts'
import { SESSION_DAYS } from '../sessions/sessions.ts'

export type GoogleClient = { readonly clientId: string; readonly clientSecret: string; readonly issuer: string }

export type GoogleSignIn = {
  /** Redirects to the provider. @throws Error when the provider cannot be reached. */
  start(request: Request, returnTo: string): Promise<Response>
  /** Handles the redirect back from the provider: signs in and redirects. */
  callback(request: Request): Promise<Response>
}

type GoogleSignInOptions = {
  readonly db: Db
  readonly appUrl: string
  readonly secret: string
  readonly client: GoogleClient
  readonly log: Log
}

/**
 * Google, or any OpenID provider, through better-auth. The provider is discovered at the first use and not at the start,
 * because the emulator runs in this process and a real provider may be down for a moment.
 */
export function createGoogleSignIn(options: GoogleSignInOptions): GoogleSignIn {
  let ready: ReturnType<typeof createAuth> | null = null

  async function provider() {
    if (ready !== null) return ready
    const { issuer } = options.client
    await checkDiscovery(issuer)
    const auth = createAuth(options)
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

/** better-auth uses our tables, with our column names. */
const tables = {
  session: {
    modelName: 'sessions',
    fields: {
      userId: 'user_id',
      token: 'token_hash',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  user: {
    modelName: 'users',
    fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
  },
  account: {
    modelName: 'sign_in_methods',
    fields: {
      userId: 'user_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  verification: {
    modelName: 'verifications',
    fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
  },
} satisfies BetterAuthOptions

/** Nothing needs the provider's tokens after the sign-in, so they are not stored. */
const noTokens = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
}

function createAuth(options: GoogleSignInOptions) {
  const isHttps = options.appUrl.startsWith('https:')
  return betterAuth({
    baseURL: options.appUrl,
    basePath: '/api/auth',
    secret: options.secret,
    database: { db: options.db, type: 'postgres' },
    telemetry: { enabled: false },
    // Our own limits count per network address; better-auth does not know addresses and would count all visitors together.
    rateLimit: { enabled: false },
    logger: { level: 'warn', log: (_level, message) => options.log.warn({ from: 'better-auth' }, message) },
    advanced: {
      // The prefix __Host- instead of the __Secure- of better-auth's own option.
      cookiePrefix: isHttps ? '__Host-altocert' : 'altocert',
      defaultCookieAttributes: { secure: isHttps },
      useSecureCookies: false,
      database: { generateId: 'uuid' },
    },
    session: { ...tables.session, expiresIn: SESSION_DAYS * 24 * 3600 },
    user: tables.user,
    databaseHooks: {
      user: { create: { before: async (user) => ({ data: { ...user, name: cleanName(user.name, user.email) } }) } },
      account: {
        create: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
        update: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
      },
    },
    account: {
      ...tables.account,
      // Links only when the issuer and our account both verified the address.
      accountLinking: { enabled: true, trustedProviders: [], requireLocalEmailVerified: true },
    },
    verification: { ...tables.verification, storeIdentifier: 'hashed' },
    plugins: [googleProvider(options.client)],
  })
}

function googleProvider({ issuer, clientId, clientSecret }: GoogleClient) {
  return genericOAuth({
    config: [
      {
        providerId: 'google',
        discoveryUrl: discoveryUrl(issuer),
        requireIdTokenVerification: true,
        requireEmailVerification: true,
        clientId,
        clientSecret,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
      },
    ],
  })
}
