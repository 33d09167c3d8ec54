import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins'
import { cleanName } from '../credentials.ts'
import { SESSION_DAYS } from '../sessions/sessions.ts'
import type { GoogleClient, GoogleSignInOptions } from './google-gateway.server.ts'

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

/** `discoveryUrl` is the address of the provider's OpenID configuration. */
export function createAuth(options: GoogleSignInOptions, discoveryUrl: string) {
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
    plugins: [googleProvider(options.client, discoveryUrl)],
  })
}

function googleProvider({ clientId, clientSecret }: GoogleClient, discoveryUrl: string) {
  return genericOAuth({
    config: [
      {
        providerId: 'google',
        discoveryUrl,
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
