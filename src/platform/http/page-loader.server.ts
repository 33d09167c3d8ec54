import { data, redirect, type LoaderFunctionArgs } from 'react-router'
import type { FailureReply } from '../../lib/failure.ts'
import type { User } from '../../lib/user.ts'
import { paths } from '../../lib/paths.ts'
import type { RequestContext } from './request-context.server.ts'
import { toFailure } from './failure-reply.server.ts'

type PageArgs = {
  readonly context: RequestContext
  readonly params: Readonly<Record<string, string | undefined>>
  readonly url: URL
}

/** Goes with the redirect of somebody whom an admin page turned away, for the page that follows. */
const DENIED_COOKIE = 'altocert_denied'

/**
 * Whether an admin page turned this person away just now: true once. The server takes the note, so no other page can. Guests are
 * never told: an admin page sends them to /login, so a note in their browser is left over from somebody else, or made up.
 */
export function takeDenial({ user, request, replyHeaders }: RequestContext): boolean {
  if (!(request.headers.get('cookie') ?? '').includes(`${DENIED_COOKIE}=1`)) return false
  replyHeaders.append('set-cookie', `${DENIED_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`)
  return user !== null
}

/** A page's loader: a failure becomes the failure page with its status, never a stack trace. */
export function pageLoader<Data>(load: (args: PageArgs) => Promise<Data>) {
  return async ({ context, params, request }: LoaderFunctionArgs): Promise<Data> => {
    try {
      return await load({ context: context.request, params, url: pageUrl(request) })
    } catch (error) {
      if (error instanceof Response) throw error
      const failure = toFailure(error)
      if (failure.status >= 500) context.request.log.error({ err: error }, 'a page could not be loaded')
      const reply: FailureReply = {
        error: {
          code: failure.code,
          kind: failure.kind,
          message: failure.message,
          requestId: context.request.requestId,
        },
      }
      throw data(reply, { status: failure.status })
    }
  }
}

/** A guest goes to /login and comes back. */
export function requireUserForPage(context: RequestContext, url: URL): User {
  if (context.user !== null) return context.user
  throw redirect(`${paths.login}?redirect=${encodeURIComponent(url.pathname + url.search)}`)
}

/** A guest goes to /login; somebody who is no admin goes home and is told. */
export function requireAdminForPage(context: RequestContext, url: URL): User {
  const user = requireUserForPage(context, url)
  if (user.role === 'admin') return user
  throw redirect(paths.home, {
    headers: { 'set-cookie': `${DENIED_COOKIE}=1; Path=/; Max-Age=20; HttpOnly; SameSite=Lax` },
  })
}

/** The address in the browser's bar, also when only the page's data is asked for. */
function pageUrl(request: Request): URL {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/^\/_root\.data$/, '/').replace(/\.data$/, '')
  url.searchParams.delete('_routes')
  return url
}
