import { paths, safeReturnPath } from '../../lib/paths.ts'
import type { UserId } from '../../lib/ids.ts'
import { networkLimit } from '../../platform/http/network-limit.server.ts'
import { pageLoader } from '../../platform/http/page-loader.server.ts'
import type { RequestContext } from '../../platform/http/request-context.server.ts'
import { cookieHeader, readCookie } from '../../platform/http/signed-cookie.server.ts'
import { findLockReason, getUserView } from './accounts-queries.server.ts'
import type { GoogleSignIn } from './google-gateway.server.ts'
import { readSessionCookie, sessionCookieName } from './sessions/session-cookie-queries.server.ts'
import { takeForeignSession } from './sessions/sessions-commands.server.ts'
import { NETWORK_ATTEMPTS, signIn, type SignInDeps } from './sign-in-endpoints.server.ts'
import { RATE_WINDOW_MS } from './sign-in-limit.ts'

/** Set by the redirect of a user whom an admin locked out; holds the admin's reason. */
const CLOSED_COOKIE = 'altocert_closed'
const CLOSED_SECONDS = 20

type GoogleDeps = SignInDeps & { readonly google: GoogleSignIn }

/** The two routes of sign-in with Google, which consists of page loads instead of API calls. */
export function googleRoutes(deps: GoogleDeps) {
  const refused = (context: RequestContext, error: unknown) => {
    context.log.error({ err: error }, 'sign-in with Google failed')
    return Response.redirect(`${context.appUrl}${paths.login}?error=google`, 303)
  }
  const limit = networkLimit({ attempts: NETWORK_ATTEMPTS, windowMs: RATE_WINDOW_MS })
  return {
    async start(context: RequestContext): Promise<Response> {
      limit(context.networkAddress)
      const returnTo = safeReturnPath(new URL(context.request.url).searchParams.get('redirect'))
      try {
        return await deps.google.start(context.request, returnTo)
      } catch (error) {
        return refused(context, error)
      }
    },
    async callback(context: RequestContext): Promise<Response> {
      limit(context.networkAddress)
      try {
        const reply = await deps.google.callback(context.request)
        const userId = await takeUser(deps, context, reply)
        if (userId === null) return reply
        const reason = await findLockReason(context.db, userId)
        if (reason !== null) return lockedOut(context, reason)
        const { email } = await getUserView(context.db, userId)
        await signIn(deps, context, { id: userId, email })
        return withOwnSession(context, reply)
      } catch (error) {
        return refused(context, error)
      }
    },
  }
}

/** The user whom better-auth signed in. Its session ends here, because ours are stored differently. */
async function takeUser({ secret }: GoogleDeps, context: RequestContext, reply: Response): Promise<UserId | null> {
  const cookies = reply.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  const token = readSessionCookie(readCookie(cookies.join(';'), sessionCookieName(context.appUrl)), secret)
  return token === null ? null : takeForeignSession(context.db, token)
}

/** The redirect of better-auth with the cookies of our session in the place of its own. */
function withOwnSession(context: RequestContext, reply: Response): Response {
  const headers = new Headers(reply.headers)
  headers.delete('set-cookie')
  const ours = context.replyHeaders.getSetCookie()
  const foreign = reply.headers.getSetCookie()
  for (const cookie of foreign)
    if (!cookie.startsWith(`${sessionCookieName(context.appUrl)}=`)) headers.append('set-cookie', cookie)
  for (const cookie of ours) headers.append('set-cookie', cookie)
  return new Response(null, { status: reply.status, headers })
}

function lockedOut(context: RequestContext, reason: string): Response {
  const cookie = { maxAgeSeconds: CLOSED_SECONDS, isSecure: context.appUrl.startsWith('https:') }
  const headers = new Headers({ location: `${context.appUrl}${paths.login}?error=closed` })
  headers.append('set-cookie', cookieHeader(CLOSED_COOKIE, reason, cookie))
  return new Response(null, { status: 303, headers })
}

/** The reason of an admin's lock after sign-in with Google. Cleared with the reply, so that nobody else at this browser reads it. */
export const loginLoader = pageLoader(async ({ context }) => {
  const closedReason = readCookie(context.request.headers.get('cookie'), CLOSED_COOKIE)
  if (closedReason !== null) {
    const expired = { maxAgeSeconds: 0, isSecure: context.appUrl.startsWith('https:') }
    context.replyHeaders.append('set-cookie', cookieHeader(CLOSED_COOKIE, '', expired))
  }
  return { closedReason: closedReason === '' ? null : closedReason }
})
