import type { UIMatch } from 'react-router'
import {
  subscribeToChanges,
  type RealtimeEvent,
  type RealtimeSubscription,
} from '../../platform/realtime/realtime-client.ts'
import { refreshDueAt } from '../../platform/realtime/realtime.ts'
import type { LiveHandle } from '../../platform/realtime/realtime.schema.ts'

type Page = { readonly matches: readonly UIMatch[]; readonly revalidate: () => Promise<void> }

/** Spreads the requests of the many pages that receive a change at once. */
const SPREAD_MS = 300

/** Loads the open page's data again after a change to what it shows. Null in browsers without the needed APIs. */
export function startRefreshing({ seen, page }: { seen: number; page: () => Page }): RealtimeSubscription | null {
  if (!('locks' in navigator && 'BroadcastChannel' in window && 'EventSource' in window)) return null
  let refreshedAt: number | null = null
  let dueAt: number | null = null
  let timer: number | undefined
  /** The field that the user is typing into. */
  let typedInto: EventTarget | null = null

  function handleEvent(event: RealtimeEvent) {
    const view = liveView(page())
    if (view === null || !concerns(event, view.courseIds)) return
    const at = Date.now()
    const due = refreshDueAt({ at, isCertain: event !== 'gap', refreshedAt, courses: view.courses })
    // One refresh, at the earliest due time, covers all changes.
    if (dueAt !== null && dueAt <= due) return
    dueAt = due
    wait(due - at + Math.random() * SPREAD_MS)
  }

  function wait(ms: number) {
    window.clearTimeout(timer)
    timer = window.setTimeout(() => void refresh(), ms)
  }

  async function refresh() {
    // Wait until the page is visible and online, and until the user stops typing: nothing may move while they do.
    if (dueAt === null || document.hidden || !navigator.onLine || typedInto !== null) return
    dueAt = null
    refreshedAt = Date.now()
    await page().revalidate()
  }

  const handleReturn = () => {
    if (dueAt !== null) wait(Math.max(0, dueAt - Date.now()))
  }
  const handleInput = ({ target }: Event) => {
    typedInto = target
  }
  const handleTyped = () => {
    typedInto = null
    handleReturn()
  }
  const listening = new AbortController()
  const { signal } = listening
  document.addEventListener('input', handleInput, { signal })
  document.addEventListener('focusout', handleTyped, { signal })
  document.addEventListener('submit', handleTyped, { signal })
  document.addEventListener('visibilitychange', handleReturn, { signal })
  window.addEventListener('online', handleReturn, { signal })
  const subscription = subscribeToChanges({ seen, onEvent: handleEvent })
  return {
    renew: () => subscription.renew(),
    stop() {
      window.clearTimeout(timer)
      listening.abort()
      subscription.stop()
    },
  }
}

/** The courses that the deepest live route shows; null if no route is live. */
function liveView({ matches }: Page) {
  const match = matches.findLast(({ handle }) => (handle as Partial<LiveHandle> | undefined)?.live !== undefined)
  return match === undefined || match.data === undefined ? null : (match.handle as LiveHandle).live(match.data)
}

function concerns(event: RealtimeEvent, courseIds: readonly string[] | null): boolean {
  return event === 'gap' || courseIds === null || courseIds.includes(event.course_id)
}
