import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { UserView } from '../../features/accounts/accounts.schema.ts'
import type { User } from '../../lib/user.ts'
import type { Filling, PageBytes, RenderedHtml } from '../../platform/cache/page-template.server.ts'
import type { RenderedPages } from '../../platform/cache/rendered-pages.server.ts'
import { acceptedEncoding } from '../../platform/http/accepted-encoding.server.ts'
import type { PageReply } from './load-context.ts'

/** What a load context says about the reader of a page. */
export type Reader = {
  readonly shownUser: UserView | null
  readonly sendPage: (page: PageReply, render: () => Promise<RenderedHtml>) => Promise<Response>
}

// Random and new in each process, so that nobody can write them into a name or a course.
const secret = randomBytes(12).toString('hex')
const MARKS = { id: `user-id-${secret}`, email: `user-email-${secret}`, name: `user-name-${secret}` } as const

/**
 * A page for guests. Those that are the same for all of them are cached as bytes afterwards; the page for addresses that do not exist
 * is rendered once. All others are rendered each time.
 */
export function guestReader(pages: RenderedPages, request: Request): Reader {
  return {
    shownUser: null,
    sendPage: async ({ address, status, headers, data }, render) => {
      if (address === '*' && status === 404 && isRead(request))
        return replyWith(await pages.own({ path: address, data }, render), { request, status, headers })
      const { html, policy } = await render()
      headers.set('content-security-policy', policy)
      return new Response(request.method === 'HEAD' ? null : html, { status, headers })
    },
  }
}

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD'

/**
 * A page for a signed-in user, rendered once for equal data. Home and courses look the same for every user of the same role and
 * courses: they are rendered with marks instead of the user's name, address and id, which are filled in for each reply.
 */
export function userReader(
  pages: RenderedPages,
  { request, user, isSameForUsers }: { request: Request; user: User; isSameForUsers: boolean },
): Reader {
  const view: UserView = {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.isFactorMissing ? 'admin' : user.role,
  }
  const filling: Filling = new Map([
    [MARKS.id, view.id],
    [MARKS.email, view.email],
    [MARKS.name, view.name],
  ])
  // React renders an empty text differently, so a mark cannot stand for it.
  const isShared = isSameForUsers && [...filling.values()].every((value) => value !== '')
  return {
    shownUser: isShared ? { ...view, ...MARKS } : view,
    sendPage: async ({ address, status, headers, data }, render) => {
      const values = status === 200 && isRead(request) ? { path: address, data } : null
      const page = isShared ? await pages.shared(values, filling, render) : await pages.own(values, render)
      return replyWith(page, { request, status, headers })
    },
  }
}

function replyWith(
  { gzip, policy }: PageBytes,
  { request, status, headers }: { request: Request; status: number; headers: Headers },
): Response {
  const acceptsGzip = acceptedEncoding(request.headers.get('accept-encoding'), ['gzip']) !== null
  const body = acceptsGzip ? gzip : gunzipSync(gzip)
  headers.set('content-security-policy', policy)
  headers.set('content-length', String(body.byteLength))
  headers.set('vary', 'Accept-Encoding')
  if (acceptsGzip) headers.set('content-encoding', 'gzip')
  return new Response(request.method === 'HEAD' ? null : (body as Uint8Array<ArrayBuffer>), { status, headers })
}
