import { setImmediate } from 'node:timers/promises'
import type { Steps } from '../lib/steps.ts'

/** So long one slice of work keeps others waiting. A request takes a few of them. */
const SLICE_MS = 8

/** Long work on the one thread that also answers: after each slice everything that waits is done first. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const until = performance.now() + SLICE_MS
    do {
      const step = steps.next()
      if (step.done === true) return step.value
    } while (performance.now() < until)
    await setImmediate()
  }
}
