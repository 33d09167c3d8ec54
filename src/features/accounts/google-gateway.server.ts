import { createHmac } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { betterAuth } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins'
import type { Db } from '../../db/open.server.ts'
import type { Log } from '../../platform/log.server.ts'
import { cookieHeader, sameText } from '../../platform/http/signed-cookie.server.ts'

export const SESSION_DAYS = 30

export type GoogleClient = { readonly clientId: string; readonly clientSecret: string; readonly issuer: string }

export type GoogleSignIn = {
  /** A redirect to the provider. @throws Error when the provider cannot be reached. */
  start(request: Request, returnTo: string): Promise<Response>
  /** The provider's answer: signs in and redirects. */
  callback(request: Request): Promise<Response>
}

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. */
const argon = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export const hashPassword = (password: string) => hash(password, argon)

export async function isPassword(password: string, stored: string): Promise<boolean> {
  try {
    return await verify(stored, password)
  } catch {
    return false
  }
}

/** Sessions are written and read by us and by better-auth alike: one cookie, one table (decision 0004). */
export function sessionCookieName(appUrl: string): string {
  return appUrl.startsWith('https:') ? '__Secure-altocert.session_token' : 'altocert.session_token'
}

export function sessionCookieValue(token: string, secret: string): string {
  return `${token}.${createHmac('sha256', secret).update(token).digest('base64')}`
}

/** The header that takes the session out of a browser. */
export function endedSessionCookie(appUrl: string): string {
  return cookieHeader(sessionCookieName(appUrl), '', { maxAgeSeconds: 0, isSecure: appUrl.startsWith('https:') })
}

/** The session's token, or null when the cookie was not signed by us. */
export function readSessionCookie(value: string | null, secret: string): string | null {
  if (value === null) return null
  const at = value.lastIndexOf('.')
  if (at <= 0) return null
  const token = value.slice(0, at)
  return sameText(value, sessionCookieValue(token, secret)) ? token : null
}

/**
 * Google, or any OpenID provider, through better-auth. The provider is looked up at the first use and not at the start,
 * because the built-in one is served by this very process and a real one may be away for a moment.
 */
export function createGoogleSignIn(options: {
  db: Db
  appUrl: string
  secret: string
  client: GoogleClient
  log: Log
}): GoogleSignIn {
  let ready: ReturnType<typeof create> | null = null

  function create() {
    return betterAuth({
      baseURL: options.appUrl,
      basePath: '/api/auth',
      secret: options.secret,
      database: { db: options.db, type: 'postgres' },
      telemetry: { enabled: false },
      // Ours counts per network address; without one, better-auth would put all visitors into one bucket.
      rateLimit: { enabled: false },
      logger: { level: 'warn', log: (_level, message) => options.log.warn({ from: 'better-auth' }, message) },
      advanced: {
        cookiePrefix: 'altocert',
        database: { generateId: 'uuid' },
        useSecureCookies: options.appUrl.startsWith('https:'),
      },
      session: {
        expiresIn: SESSION_DAYS * 24 * 3600,
        modelName: 'sessions',
        fields: {
          userId: 'user_id',
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
        // Only an address that the issuer calls verified, and only to an account that verified it too.
        accountLinking: { enabled: true, trustedProviders: [], requireLocalEmailVerified: true },
      },
      verification: {
        modelName: 'verifications',
        fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
      },
      plugins: [
        genericOAuth({
          config: [
            {
              providerId: 'google',
              discoveryUrl: `${options.client.issuer}/.well-known/openid-configuration`,
              requireIdTokenVerification: true,
              requireEmailVerification: true,
              clientId: options.client.clientId,
              clientSecret: options.client.clientSecret,
              scopes: ['openid', 'email', 'profile'],
              pkce: true,
            },
          ],
        }),
      ],
    })
  }

  async function provider() {
    ready ??= create()
    const context = await ready.$context
    if (context.socialProviders.some((one) => one.id === 'google')) return ready
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
