import { data, redirect, type LoaderFunctionArgs } from 'react-router'
import type { FailureReply } from '../../lib/failure.ts'
import type { User } from '../../lib/user.ts'
import { paths } from '../../lib/paths.ts'
import { readFromReplica, type RequestContext } from './request-context.server.ts'
import { toFailure } from './failure-reply.server.ts'
import { cookieHeader, readCookie } from './signed-cookie.server.ts'
import { fail } from '../request-failures.ts'

type PageArgs = {
  readonly context: RequestContext
  readonly params: Readonly<Record<string, string | undefined>>
  readonly url: URL
}

/** Set by the redirect away from an admin page, for the page that follows. */
const DENIED_COOKIE = 'altocert_denied'
const DENIED_SECONDS = 20

/**
 * Whether an admin page has just turned this user away. Clears the cookie, so it is true for one page only. Always false for guests:
 * admin pages send them to /login, so their cookie is somebody else's or forged.
 */
export function consumeDenial(context: RequestContext): boolean {
  if (readCookie(context.request.headers.get('cookie'), DENIED_COOKIE) !== '1') return false
  context.replyHeaders.append('set-cookie', denialCookie(context, '', 0))
  return context.user !== null
}

function denialCookie({ appUrl }: RequestContext, value: string, maxAgeSeconds: number): string {
  return cookieHeader(DENIED_COOKIE, value, { maxAgeSeconds, isSecure: appUrl.startsWith('https:') })
}

/** The parameters of the pages' search fields. */
const SEARCH_PARAMETERS = ['search', 'q']

/**
 * Wraps a page's loader: failures render the failure page with their status, never a stack trace. A page with a search counts as a search.
 */
export function pageLoader<Data>(load: (args: PageArgs) => Promise<Data>) {
  return async ({ context, params, request }: LoaderFunctionArgs): Promise<Data> => {
    try {
      const url = pageUrl(request)
      if (SEARCH_PARAMETERS.some((name) => (url.searchParams.get(name) ?? '').trim() !== ''))
        await context.request.limits.claim('search', context.request)
      const isForAllGuests = context.request.replica?.isForAllGuests === true
      return await (isForAllGuests ? onReplica(load) : load)({ context: context.request, params, url })
    } catch (error) {
      throw refusedPage(context.request, error)
    }
  }
}

/** The loader of a page whose reads by `context.reads` may come from the replica (decision 0048). */
export function replicaPageLoader<Data>(load: (args: PageArgs) => Promise<Data>) {
  return pageLoader(onReplica(load))
}

function onReplica<Data>(load: (args: PageArgs) => Promise<Data>): (args: PageArgs) => Promise<Data> {
  return ({ context, ...args }) => readFromReplica(context, (reading) => load({ ...args, context: reading }))
}

/** What a loader or action throws for an error: the failure page with its status, or the redirect that the error is. */
export function refusedPage(context: RequestContext, error: unknown) {
  if (error instanceof Response) return error
  const failure = toFailure(error)
  context.refusal.code = failure.code
  if (failure.status >= 500) context.log.error({ err: error }, 'a page could not be loaded')
  const { code, kind, message } = failure
  const reply: FailureReply = { error: { code, kind, message, requestId: context.requestId } }
  const seconds = failure.facts['retryAfterSeconds']
  if (typeof seconds === 'number') context.replyHeaders.set('retry-after', String(seconds))
  return data(reply, { status: failure.status })
}

/** The user of a page. Guests are redirected to /login, which returns them here. */
export function requireUserForPage(context: RequestContext, url: URL): User {
  if (context.user !== null) return context.user
  throw redirect(`${paths.login}?redirect=${encodeURIComponent(url.pathname + url.search)}`)
}

/**
 * The admin of a page. Guests are redirected to /login; other users to the home page, which tells them why.
 * @throws Failure second-factor.required
 */
export function requireAdminForPage(context: RequestContext, url: URL): User {
  const user = requireUserForPage(context, url)
  if (user.isFactorMissing) throw fail('second-factor.required')
  if (user.role === 'admin') return user
  context.refusal.code = 'role.required'
  throw redirect(paths.home, { headers: { 'set-cookie': denialCookie(context, '1', DENIED_SECONDS) } })
}

/** The page's own address, also for requests of its data only. */
export function pageUrl(request: Request): URL {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/^\/_root\.data$/, '/').replace(/\.data$/, '')
  url.searchParams.delete('_routes')
  return url
}
