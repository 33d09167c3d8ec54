import { createContext, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { copy } from '../accounts.copy.ts'
import { AUTH_INIT_TIMEOUT_MS, authEventOf, type AuthEvent } from '../auth-events.ts'
import type { UserView } from '../accounts.schema.ts'

type AuthListener = (event: AuthEvent, user: UserView | null) => void

type Auth = {
  readonly user: UserView | null
  readonly isAdmin: boolean
  /** False while the session is unknown; for three seconds at most. */
  readonly isReady: boolean
  /** Subscribes to changes of the session; returns the unsubscribe function. */
  onEvent(listener: AuthListener): () => void
  /** Notifies the listeners of an event that only a page knows. */
  announce(event: 'PASSWORD_RECOVERY'): void
}

const Context = createContext<Auth | null>(null)

/** The signed-in user. @throws Error outside an AuthProvider */
export function useAuth(): Auth {
  const auth = useContext(Context)
  if (auth === null) throw new Error(copy['thrown.auth'])
  return auth
}

/**
 * Provides the session. The server sends it with the page; only after a failed page is it undefined, and then fetched. Calls
 * `onElsewhere` when a user signed in or out in another tab.
 */
export function AuthProvider({
  session,
  onElsewhere,
  children,
}: {
  session: UserView | null | undefined
  onElsewhere: (event: 'SIGNED_IN' | 'SIGNED_OUT') => void
  children: ReactNode
}) {
  const { user: fetched, isReady } = useFetchedSession(session === undefined)
  const user = session ?? fetched
  const [listeners] = useState(() => new Set<AuthListener>())
  useEvents(isReady ? user : undefined, listeners)
  useOtherTabs(isReady ? user : undefined, onElsewhere)
  const [{ onEvent, announce }] = useState(() => ({
    onEvent(listener: AuthListener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    announce(event: 'PASSWORD_RECOVERY') {
      for (const listener of listeners) listener(event, null)
    },
  }))
  const auth = useMemo<Auth>(
    () => ({ user, isAdmin: user?.role === 'admin', isReady, onEvent, announce }),
    [user, isReady, onEvent, announce],
  )
  return <Context value={auth}>{children}</Context>
}

/** Fetches the session for a page that came without one. After three seconds the user counts as a guest. */
function useFetchedSession(isUnknown: boolean) {
  const [fetched, setFetched] = useState<{ user: UserView | null; isReady: boolean }>({ user: null, isReady: false })
  useEffect(() => {
    if (!isUnknown) return
    const settle = (user: UserView | null) =>
      setFetched((before) => (before.isReady ? before : { user, isReady: true }))
    const timer = setTimeout(() => settle(null), AUTH_INIT_TIMEOUT_MS)
    // Only a page that came without a session loads this code.
    import('../accounts-client.ts')
      .then(({ readSession }) => readSession())
      .then(
        ({ user }) => settle(user),
        () => settle(null),
      )
    return () => clearTimeout(timer)
  }, [isUnknown])
  return isUnknown ? fetched : { user: null, isReady: true }
}

/** Notifies the listeners when the user changes. `undefined` while the session is unknown. */
function useEvents(user: UserView | null | undefined, listeners: ReadonlySet<AuthListener>) {
  const before = useRef<UserView | null | undefined>(undefined)
  useEffect(() => {
    if (user === undefined) return
    const event = authEventOf(before.current, user)
    before.current = user
    if (event !== null) for (const listener of listeners) listener(event, user)
  }, [user, listeners])
}

/** Tabs announce their user to each other. A tab with another user calls `onElsewhere`. */
function useOtherTabs(user: UserView | null | undefined, onElsewhere: (event: 'SIGNED_IN' | 'SIGNED_OUT') => void) {
  const who = user === undefined ? undefined : (user?.id ?? null)
  const latest = useRef({ who, onElsewhere })
  useEffect(() => {
    latest.current = { who, onElsewhere }
  })
  const channel = useRef<BroadcastChannel | null>(null)
  useEffect(() => {
    // A channel, because local storage may be blocked.
    const opened = new BroadcastChannel(CHANNEL)
    channel.current = opened
    opened.addEventListener('message', ({ data }: MessageEvent<SessionMessage>) => {
      const { who: own, onElsewhere: notify } = latest.current
      if (own === undefined || own === data.who) return
      // The sign-out of another user does not concern this page: an exam stays open for its own learner.
      if (data.who === null && data.was !== own) return
      notify(data.who === null ? 'SIGNED_OUT' : 'SIGNED_IN')
    })
    return () => opened.close()
  }, [])
  const announced = useRef<string | null | undefined>(undefined)
  useEffect(() => {
    // A page that was opened as a guest announces nothing.
    if (who === undefined || who === announced.current) return
    const was = announced.current
    announced.current = who
    if (!(was === undefined && who === null))
      channel.current?.postMessage({ who, was: was ?? null } satisfies SessionMessage)
  }, [who])
}

/** The ids of the user now and before; null for a guest. */
type SessionMessage = { readonly who: string | null; readonly was: string | null }

const CHANNEL = 'altocert-session-changes'
