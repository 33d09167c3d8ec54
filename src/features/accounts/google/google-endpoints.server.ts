import { paths, safeReturnPath } from '../../../lib/paths.ts'
import type { UserId } from '../../../lib/ids.ts'
import { authEvent } from '../../../platform/auth-log.server.ts'
import { pageLoader } from '../../../platform/http/page-loader.server.ts'
import type { RequestContext } from '../../../platform/http/request-context.server.ts'
import { cookieHeader, readCookie, sign, verifySigned } from '../../../platform/http/signed-cookie.server.ts'
import { findLockReason, getUserView } from '../accounts-queries.server.ts'
import type { GoogleSignIn } from './google-gateway.server.ts'
import { readSessionCookie, sessionCookie, sessionCookieName } from '../sessions/session-cookie-queries.server.ts'
import { findConfirmationMethods } from '../second-factor/second-factor-proof-endpoints.server.ts'
import { findFactors } from '../second-factor/second-factor-queries.server.ts'
import { findSecondStep } from '../second-factor/second-step-commands.server.ts'
import { confirmSession, takeForeignSession } from '../sessions/sessions-commands.server.ts'
import { beginSession, type SignInDeps } from '../sign-in-endpoints.server.ts'

/** Set by the redirect of a user whom an admin locked out; holds the admin's reason. */
const CLOSED_COOKIE = 'altocert_closed'
const CLOSED_SECONDS = 20
/** Set while a signed-in user goes to Google to confirm who they are; holds the session's id. */
const CONFIRM_COOKIE = 'altocert_confirm'
const CONFIRM_SECONDS = 600

type GoogleDeps = SignInDeps & { readonly google: GoogleSignIn }

/** The two routes of sign-in with Google, which consists of page loads instead of API calls. */
export function googleRoutes(deps: GoogleDeps) {
  const refused = (context: RequestContext, error: unknown) => {
    context.log.error({ err: error }, 'sign-in with Google failed')
    return Response.redirect(`${context.appUrl}${paths.login}?error=google`, 303)
  }
  return {
    async start(context: RequestContext): Promise<Response> {
      const { searchParams } = new URL(context.request.url)
      const returnTo = safeReturnPath(searchParams.get('redirect'))
      if (isFromElsewhere(context.request))
        return Response.redirect(`${context.appUrl}${paths.login}?redirect=${encodeURIComponent(returnTo)}`, 303)
      try {
        const reply = await deps.google.start(context.request, returnTo)
        reply.headers.append('set-cookie', confirmCookie(deps, context, searchParams.has('confirm')))
        return reply
      } catch (error) {
        return refused(context, error)
      }
    },
    async callback(context: RequestContext): Promise<Response> {
      try {
        const reply = await deps.google.callback(context.request)
        const userId = await takeUser(deps, context, reply)
        if (isConfirmation(deps, context)) return await confirmed(deps, context, userId)
        if (userId === null) return reply
        const reason = await findLockReason(context.db, userId)
        if (reason !== null) return lockedOut(context, reason)
        const { email } = await getUserView(context.db, userId)
        const { secondStep } = await beginSession(deps, context, { id: userId, email }, 'google')
        return secondStep === undefined ? withOwnSession(context, reply) : toSecondStep(context, reply)
      } catch (error) {
        return refused(context, error)
      }
    },
  }
}

/**
 * Whether a page of another site led here. It could sign in a visitor who is signed in at Google, without a press of our
 * button. Browsers send 'none' for a typed address; old browsers send nothing.
 */
function isFromElsewhere({ headers }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  return site === 'cross-site' || site === 'same-site'
}

/** Marks the browser as on its way to confirm the session that it has; removes the mark for a sign-in. */
function confirmCookie({ secret }: GoogleDeps, { user, appUrl }: RequestContext, isConfirming: boolean): string {
  const isSecure = appUrl.startsWith('https:')
  if (!isConfirming || user === null) return cookieHeader(CONFIRM_COOKIE, '', { maxAgeSeconds: 0, isSecure })
  return cookieHeader(CONFIRM_COOKIE, sign(user.sessionId, 'confirm', secret), {
    maxAgeSeconds: CONFIRM_SECONDS,
    isSecure,
  })
}

function isConfirmation({ secret }: GoogleDeps, { request, user }: RequestContext): boolean {
  const sessionId = verifySigned(readCookie(request.headers.get('cookie'), CONFIRM_COOKIE), 'confirm', secret)
  return sessionId !== null && sessionId === user?.sessionId
}

/** Confirms the session of this browser with the Google account of its own user. Another account changes nothing. */
async function confirmed(deps: GoogleDeps, context: RequestContext, userId: UserId | null): Promise<Response> {
  const { appUrl, user } = context
  const isOwn = userId !== null && userId === user?.id && (await findConfirmationMethods(context)).google
  const headers = new Headers({ location: `${appUrl}${paths.confirmed}?result=${isOwn ? 'done' : 'failed'}` })
  headers.append('set-cookie', confirmCookie(deps, context, false))
  if (isOwn && user !== null) {
    const token = await confirmSession(context.db, { id: user.sessionId, now: context.clock.now() })
    headers.append('set-cookie', sessionCookie(token, { appUrl, secret: deps.secret }))
  }
  if (user !== null)
    authEvent(context, { event: isOwn ? 'confirmed' : 'confirmation-failed', account: user.id, by: 'google' })
  return new Response(null, { status: 303, headers })
}

/** To the login page, which asks for the second step and then goes where better-auth would have gone. */
function toSecondStep(context: RequestContext, reply: Response): Response {
  const { pathname, search } = new URL(reply.headers.get('location') ?? '/', context.appUrl)
  const location = `${context.appUrl}${paths.login}?redirect=${encodeURIComponent(pathname + search)}`
  const headers = new Headers({ location })
  for (const cookie of context.replyHeaders.getSetCookie()) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

/** The user whom better-auth signed in. Its session ends here, because ours are stored differently; the cookies have the same name. */
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

/**
 * The second step that this browser is at; and the reason of an admin's lock after sign-in with Google, which is cleared with the reply,
 * so that nobody else at this browser reads it.
 */
export const loginLoader = pageLoader(async ({ context }) => {
  const closedReason = readCookie(context.request.headers.get('cookie'), CLOSED_COOKIE)
  if (closedReason !== null) {
    const expired = { maxAgeSeconds: 0, isSecure: context.appUrl.startsWith('https:') }
    context.replyHeaders.append('set-cookie', cookieHeader(CLOSED_COOKIE, '', expired))
  }
  const waiting = context.user === null ? await findSecondStep(context) : null
  const factors = waiting === null ? null : await findFactors(context.db, waiting.id)
  return {
    closedReason: closedReason === '' ? null : closedReason,
    secondStep: factors === null ? null : { code: factors.hasAuthenticator, passkey: factors.hasPasskey },
  }
})
