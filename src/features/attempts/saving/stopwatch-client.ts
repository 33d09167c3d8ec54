import { MINUTE_MS } from '../../../lib/time.ts'

/** After this time without input, the learner is taken to have left. */
const IDLE_MS = 5 * MINUTE_MS

/** Measures the time on each question by the browser's monotonic clock, only while the page is visible. */
type Stopwatch = {
  /** Measures this question from now on. */
  readonly viewQuestion: (questionId: string) => void
  /** Reports the time measured so far to `add`, and measures on. */
  readonly count: () => void
  /** Starts it; the returned function stops it. */
  readonly open: () => () => void
}

export function createStopwatch(add: (questionId: string, ms: number) => void): Stopwatch {
  let viewed: string | null = null
  let since = performance.now()
  let isSeen = true

  function count() {
    const now = performance.now()
    const ms = Math.min(now - since, IDLE_MS)
    since = now
    if (viewed !== null && isSeen && ms > 0) add(viewed, ms)
  }

  function handleVisibility() {
    count()
    isSeen = document.visibilityState === 'visible'
  }

  return {
    viewQuestion(questionId) {
      if (questionId === viewed) return
      count()
      viewed = questionId
    },
    count,
    open() {
      since = performance.now()
      isSeen = document.visibilityState === 'visible'
      document.addEventListener('visibilitychange', handleVisibility)
      // Input shows that the learner is there; without it a forgotten page would count as thinking time.
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
