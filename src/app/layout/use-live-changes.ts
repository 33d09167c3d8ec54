import { useEffect, useRef } from 'react'
import { useMatches, useRevalidator } from 'react-router'
import { useSite } from './use-site.ts'

/** Keeps the open page true: its data is loaded again when a course that it shows has changed. */
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

  // Outside: the stream of changes. It is loaded when the page has nothing better to do.
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

  // Outside: the connection was opened by somebody else.
  const who = user === null ? 'guest' : `${user.id} ${user.role}`
  const lastWho = useRef(who)
  useEffect(() => {
    if (lastWho.current === who) return
    lastWho.current = who
    subscription.current?.renew()
  }, [who])
}
