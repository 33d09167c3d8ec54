import { createContext, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { readSession } from '../accounts-client.ts'
import { copy } from '../accounts.copy.ts'
import { AUTH_INIT_TIMEOUT_MS, authEventOf, type AuthEvent } from '../accounts.ts'
import type { UserView } from '../accounts.schema.ts'

type AuthListener = (event: AuthEvent, user: UserView | null) => void

type Auth = {
  readonly user: UserView | null
  readonly isAdmin: boolean
  /** False only while nobody knows who is signed in: never longer than three seconds. */
  readonly isReady: boolean
  /** Hears what happens to the session from now on; returns how to stop. */
  onEvent(listener: AuthListener): () => void
  /** Tells the listeners of something that only a page knows. */
  announce(event: 'PASSWORD_RECOVERY'): void
}

const Context = createContext<Auth | null>(null)

/** Who is signed in. @throws outside an AuthProvider */
export function useAuth(): Auth {
  const auth = useContext(Context)
  if (auth === null) throw new Error(copy['thrown.auth'])
  return auth
}

/**
 * Knows who is signed in. The server said it with the page, so nothing waits for it; where a page failed before that
 * (`undefined`), the session is asked for. `onElsewhere`: another tab has seen somebody sign in or out.
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
  const { user: asked, isReady } = useAskedSession(session === undefined)
  const user = session ?? asked
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

/** The session by a call of its own, for a page that came without. After three seconds one goes on as a guest. */
function useAskedSession(isUnknown: boolean) {
  const [asked, setAsked] = useState<{ user: UserView | null; isReady: boolean }>({ user: null, isReady: false })
  useEffect(() => {
    // Outside: the server, and time.
    if (!isUnknown) return
    const settle = (user: UserView | null) => setAsked((before) => (before.isReady ? before : { user, isReady: true }))
    const timer = setTimeout(() => settle(null), AUTH_INIT_TIMEOUT_MS)
    readSession().then(
      ({ user }) => settle(user),
      () => settle(null),
    )
    return () => clearTimeout(timer)
  }, [isUnknown])
  return isUnknown ? asked : { user: null, isReady: true }
}

/** Tells the listeners what each new word of the server means. `undefined`: it has not spoken yet. */
function useEvents(user: UserView | null | undefined, listeners: ReadonlySet<AuthListener>) {
  const before = useRef<UserView | null | undefined>(undefined)
  useEffect(() => {
    // Outside: whoever listens.
    if (user === undefined) return
    const event = authEventOf(before.current, user)
    before.current = user
    if (event !== null) for (const listener of listeners) listener(event, user)
  }, [user, listeners])
}

/** Tabs tell each other who is signed in; one that shows somebody else asks the server again. */
function useOtherTabs(user: UserView | null | undefined, onElsewhere: (event: 'SIGNED_IN' | 'SIGNED_OUT') => void) {
  const who = user === undefined ? undefined : (user?.id ?? null)
  const latest = useRef({ who, onElsewhere })
  useEffect(() => {
    latest.current = { who, onElsewhere }
  })
  const channel = useRef<BroadcastChannel | null>(null)
  useEffect(() => {
    // Outside: the other tabs. Local storage may be blocked, a channel is not.
    const opened = new BroadcastChannel(CHANNEL)
    channel.current = opened
    opened.addEventListener('message', ({ data }: MessageEvent<SessionMessage>) => {
      const { who: mine, onElsewhere: tell } = latest.current
      if (mine === undefined || mine === data.who) return
      // That somebody else has signed out is nothing to a page that is not theirs: an exam waits for its own learner.
      if (data.who === null && data.was !== mine) return
      tell(data.who === null ? 'SIGNED_OUT' : 'SIGNED_IN')
    })
    return () => opened.close()
  }, [])
  const said = useRef<string | null | undefined>(undefined)
  useEffect(() => {
    // Outside: the other tabs. A page that is opened as a guest has nothing to tell them.
    if (who === undefined || who === said.current) return
    const was = said.current
    said.current = who
    if (!(was === undefined && who === null))
      channel.current?.postMessage({ who, was: was ?? null } satisfies SessionMessage)
  }, [who])
}

/** Who is signed in now, and who was before. */
type SessionMessage = { readonly who: string | null; readonly was: string | null }

const CHANNEL = 'altocert-session-changes'
