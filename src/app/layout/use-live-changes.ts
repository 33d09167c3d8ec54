import { useEffect, useRef } from 'react'
import { useMatches, useRevalidator } from 'react-router'
import { useSite } from './use-site.ts'

/** Loads the open page's data again when a course that it shows has changed. */
export function useLiveChanges(): void {
  const { changesSeen, user } = useSite()
  const { revalidate } = useRevalidator()
  const matches = useMatches()
  const page = useRef({ matches, revalidate })
  useEffect(() => {
    page.current = { matches, revalidate }
  })
  const subscription = useRef<{ renew(): void } | null>(null)
  const firstSeen = useRef(changesSeen)

  // Subscribe to the stream of changes. Its code loads when the browser is idle.
  useEffect(() => {
    let stop: (() => void) | null = null
    let isGone = false
    const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 200))
    idle(async () => {
      const { startRefreshing } = await import('./refreshing-client.ts')
      if (isGone) return
      const started = startRefreshing({ seen: firstSeen.current, page: () => page.current })
      subscription.current = started
      stop = () => started?.stop()
    })
    return () => {
      isGone = true
      stop?.()
    }
  }, [])

  // After a sign-in or sign-out, reconnect with the new session.
  const who = user === null ? 'guest' : `${user.id} ${user.role}`
  const lastWho = useRef(who)
  useEffect(() => {
    if (lastWho.current === who) return
    lastWho.current = who
    subscription.current?.renew()
  }, [who])
}
