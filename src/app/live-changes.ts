import { useEffect, useRef } from 'react'
import { useMatches, useRevalidator } from 'react-router'
import { useSite } from './site.ts'

/** Keeps the open page true: its data is loaded again when a course that it shows has changed. */
export function useLiveChanges(): void {
  const { changesSeen, person } = useSite()
  const { revalidate } = useRevalidator()
  const matches = useMatches()
  const page = useRef({ matches, revalidate })
  useEffect(() => {
    page.current = { matches, revalidate }
  })
  const hearing = useRef<{ renew(): void } | null>(null)
  const firstSeen = useRef(changesSeen)

  // Outside: the stream of changes. It is loaded when the page has nothing better to do.
  useEffect(() => {
    let stop: (() => void) | null = null
    let isGone = false
    const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 200))
    idle(async () => {
      const { startRefreshing } = await import('./refreshing.ts')
      if (isGone) return
      const started = startRefreshing({ seen: firstSeen.current, page: () => page.current })
      hearing.current = started
      stop = () => started?.stop()
    })
    return () => {
      isGone = true
      stop?.()
    }
  }, [])

  // Outside: the connection was opened by somebody else.
  const who = person === null ? 'guest' : `${person.id} ${person.role}`
  const lastWho = useRef(who)
  useEffect(() => {
    if (lastWho.current === who) return
    lastWho.current = who
    hearing.current?.renew()
  }, [who])
}
