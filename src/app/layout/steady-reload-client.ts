import { useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000
/** Something between here and the server says that it is not there; it will be. */
const AWAY = new Set([502, 503, 504])

/** The page that somebody sees. */
const seen = { dataPath: '', search: '', isFailure: false }
/** Reloads that wait for an answer. */
let waiting = 0
const listeners = new Set<() => void>()

/** Notes which page is shown; the address bar is ahead of it while the browser's way back is on its way. */
export function useSeenPage(): void {
  const { pathname, search } = useLocation()
  useEffect(() => {
    // Outside: what fetches the data of pages.
    seen.dataPath = `${pathname === '/' ? '/_root' : pathname.replace(/\/$/, '')}.data`
    seen.search = searchOf(search)
  }, [pathname, search])
}

/** For whoever shows a failure in place of a page: nothing there can be lost, and a further failure is said at once. */
export function useSeenFailure(): void {
  useEffect(() => {
    // Outside: what fetches the data of pages.
    seen.isFailure = true
    return () => {
      seen.isFailure = false
    }
  }, [])
}

/** Whether the page is older than it should be, because nobody answers. */
export function useReloadWaits(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => waiting > 0,
    () => false,
  )
}

/**
 * The data of the open page is loaded again after changes. Where it does not arrive, the router would put a failure in the
 * place of the page, and what somebody has typed into it would be gone; so it waits for the network and the server, for as
 * long as nobody goes elsewhere.
 */
export function storePagesWhileReloading(): void {
  const { fetch } = window
  window.fetch = async (asked, init) => {
    if (!isReload(asked, init)) return fetch(asked, init)
    const signal = init?.signal ?? null
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const reply = await whole(fetch(asked, init))
      if (reply instanceof Response) return reply
      if (seen.isFailure) throw reply
      count(1)
      await untilWorthTrying(pause, signal).finally(() => count(-1))
    }
  }
}

function count(change: 1 | -1): void {
  waiting += change
  for (const listener of listeners) listener()
}

function isReload(asked: RequestInfo | URL, init: RequestInit | undefined): boolean {
  if (!(asked instanceof URL) || (init?.method ?? 'GET') !== 'GET' || seen.isFailure) return false
  const isHere = asked.origin === window.location.origin && asked.pathname === seen.dataPath
  return isHere && searchOf(asked.search) === seen.search
}

/** What a page is asked for, without the router's own words. */
function searchOf(search: string): string {
  const query = new URLSearchParams(search)
  query.delete('_routes')
  query.sort()
  return query.toString()
}

/** The reply with all of its bytes, or why there is none. @throws what is no matter of the network */
async function whole(arriving: Promise<Response>): Promise<Response | TypeError> {
  try {
    const reply = await arriving
    if (AWAY.has(reply.status)) return new TypeError('Failed to fetch: the server is away.')
    const bytes = await reply.arrayBuffer()
    return new Response(bytes.byteLength === 0 ? null : bytes, reply)
  } catch (error) {
    if (error instanceof TypeError) return error
    throw error
  }
}

/** Until there is a network again, or for a while. @throws when nobody waits for it any more */
function untilWorthTrying(ms: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted === true) reject(signal.reason as Error)
      else resolve()
    }
    const timer = setTimeout(end, ms)
    window.addEventListener('online', end)
    signal?.addEventListener('abort', end)
    if (signal?.aborted === true) end()
  })
}
