import { useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000
/** Statuses with which a proxy says that the server is unreachable for now. */
const UNREACHABLE = new Set([502, 503, 504])

/** The page on the screen. */
const shown = { dataPath: '', search: '', isFailure: false }
/** Number of reloads that wait for the server. */
let waiting = 0
const listeners = new Set<() => void>()

/** Records which page is shown. During a back navigation the address bar changes before the page does. */
export function useShownPage(): void {
  const { pathname, search } = useLocation()
  useEffect(() => {
    // The `fetch` below reads which page is open.
    shown.dataPath = `${pathname === '/' ? '/_root' : pathname.replace(/\/$/, '')}.data`
    shown.search = searchOf(search)
  }, [pathname, search])
}

/** For a failure shown in place of the page: it holds nothing to lose, so its reload fails at once instead of waiting. */
export function useShownFailure(): void {
  useEffect(() => {
    // The `fetch` below reads whether a failure is shown.
    shown.isFailure = true
    return () => {
      shown.isFailure = false
    }
  }, [])
}

/** Whether the page's data is outdated because a reload waits for the server. */
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
 * Makes a reload of the open page's data wait for the network and the server until the user navigates. Otherwise the
 * router would replace the page by a failure, and typed text would be lost.
 */
export function keepPageWhileReloading(): void {
  const { fetch } = window
  window.fetch = async (input, init) => {
    if (!isReload(input, init)) return fetch(input, init)
    const signal = init?.signal ?? null
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const reply = await readWhole(fetch(input, init))
      const isAnswer = reply instanceof Response
      if (isAnswer && (shown.isFailure || !UNREACHABLE.has(reply.status))) return reply
      if (shown.isFailure) throw reply
      count(1)
      await waitForRetry(pause, signal).finally(() => count(-1))
    }
  }
}

function count(change: 1 | -1): void {
  waiting += change
  for (const listener of listeners) listener()
}

function isReload(input: RequestInfo | URL, init: RequestInit | undefined): boolean {
  if (!(input instanceof URL) || (init?.method ?? 'GET') !== 'GET' || shown.isFailure) return false
  const isHere = input.origin === window.location.origin && input.pathname === shown.dataPath
  return isHere && searchOf(input.search) === shown.search
}

/** The query without the router's own parameters. */
function searchOf(search: string): string {
  const query = new URLSearchParams(search)
  query.delete('_routes')
  query.sort()
  return query.toString()
}

/** The reply with all of its bytes, or the network error. @throws every other error, such as an abort */
async function readWhole(pending: Promise<Response>): Promise<Response | TypeError> {
  try {
    const reply = await pending
    const bytes = await reply.arrayBuffer()
    return new Response(bytes.byteLength === 0 ? null : bytes, reply)
  } catch (error) {
    if (error instanceof TypeError) return error
    throw error
  }
}

/** Waits `ms`, or until the browser is online again. @throws the reason when `signal` aborts */
function waitForRetry(ms: number, signal: AbortSignal | null): Promise<void> {
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
