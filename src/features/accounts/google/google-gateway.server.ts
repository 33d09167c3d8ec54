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
    ready ??= createAuth(options)
    const context = await ready.$context
    if (context.socialProviders.some(({ id }) => id === 'google')) return ready
    ready = null
    throw new Error(`the OpenID provider ${options.client.issuer} could not be reached`)
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
      cookiePrefix: 'altocert',
      database: { generateId: 'uuid' },
      useSecureCookies: options.appUrl.startsWith('https:'),
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
        discoveryUrl: `${issuer}/.well-known/openid-configuration`,
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
