import type { OwnChange } from './realtime.schema.ts'

/**
 * Passes changes of the user's own rows from the stream to listeners on the page. Apart from the stream's code, which loads
 * later than the page.
 */

type OwnChangeListener = (change: OwnChange) => void
const listeners = new Set<OwnChangeListener>()

/** Returns how to stop. */
export function onOwnChange(listener: OwnChangeListener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export function passOwnChange(change: OwnChange): void {
  for (const listener of listeners) listener(change)
}
