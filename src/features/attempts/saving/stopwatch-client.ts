import { MINUTE_MS } from '../../../lib/time.ts'

/** So long without a key or a touch, and nobody is looking any more. */
const IDLE_MS = 5 * MINUTE_MS

/** Measures what is looked at: only while the page is seen, by the browser's monotonic clock. */
type Stopwatch = {
  /** What is looked at from now on. */
  readonly look: (questionId: string) => void
  /** Gives away what was measured so far; it goes on from there. */
  readonly count: () => void
  /** The function given back stops it. */
  readonly open: () => () => void
}

export function createStopwatch(add: (questionId: string, ms: number) => void): Stopwatch {
  let looked: string | null = null
  let since = performance.now()
  let isSeen = true

  function count() {
    const now = performance.now()
    const ms = Math.min(now - since, IDLE_MS)
    since = now
    if (looked !== null && isSeen && ms > 0) add(looked, ms)
  }

  function handleVisibility() {
    count()
    isSeen = document.visibilityState === 'visible'
  }

  return {
    look(questionId) {
      if (questionId === looked) return
      count()
      looked = questionId
    },
    count,
    open() {
      since = performance.now()
      isSeen = document.visibilityState === 'visible'
      document.addEventListener('visibilitychange', handleVisibility)
      // Signs of life: without them a forgotten page would count as thinking.
      addEventListener('keydown', count)
      addEventListener('pointerdown', count)
      addEventListener('scroll', count, { passive: true })
      return () => {
        count()
        document.removeEventListener('visibilitychange', handleVisibility)
        removeEventListener('keydown', count)
        removeEventListener('pointerdown', count)
        removeEventListener('scroll', count)
      }
    },
  }
}
