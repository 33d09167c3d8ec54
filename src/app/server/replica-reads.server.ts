import type { MiddlewareHandler } from 'hono'
import type { Replica } from '../../db/replica.server.ts'
import type { HttpEnv } from '../../platform/http/endpoint.server.ts'
import type { RequestReplica } from '../../platform/http/request-context.server.ts'
import { cookieHeader, readCookie } from '../../platform/http/signed-cookie.server.ts'
import type { Figure } from '../../platform/metrics.server.ts'

/** Holds the position in the log of an admin's last write. It is not signed: a false one only changes what its sender sees. */
export const WRITTEN_COOKIE = 'altocert_written'
/** By then the replica has replayed the write, or it is too far behind to be used at all. */
const WRITTEN_SECONDS = 60

/** The replica for a request with this Cookie header. */
export function replicaOf(replica: Replica, cookies: string | undefined): RequestReplica {
  const written = readCookie(cookies, WRITTEN_COOKIE)
  // What is no number is compared as false, so it leads to the primary.
  const position = written === null ? 0 : Number(written)
  return { position, isForAllGuests: false, read: (after, read) => replica.read(after, read) }
}

/** After a write, an admin sees its effect with the next request, in whichever process. Only admins' lists are read from the replica. */
export function rememberWrites(replica: Replica, appUrl: string): MiddlewareHandler<HttpEnv> {
  const isSecure = appUrl.startsWith('https:')
  return async (c, next) => {
    await next()
    if (c.req.method === 'GET' || c.req.method === 'HEAD' || c.get('context').user?.role !== 'admin') return
    const value = String(await replica.noteWrite().catch(() => 'unknown'))
    c.header('set-cookie', cookieHeader(WRITTEN_COOKIE, value, { maxAgeSeconds: WRITTEN_SECONDS, isSecure }), {
      append: true,
    })
  }
}

/** None without a replica. */
export function replicaFigures(replica: Replica | null): Figure[] {
  if (replica === null) return []
  return [
    {
      name: 'altocert_reads_total',
      kind: 'counter',
      help: 'Reads that may leave the primary, by the server that answered them.',
      values: Object.entries(replica.reads).map(([server, count]) => [{ server }, count] as const),
    },
  ]
}
