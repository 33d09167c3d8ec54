import { useState, type ComponentType } from 'react'

/**
 * A part of the page that is loaded when it is wanted: nobody pays for a drawer that stays shut. One that could not be
 * loaded leaves the page as it is, and is asked for again the next time.
 */
export function usePart<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const [part, setPart] = useState<ComponentType<Props> | null>(null)
  /** @throws what the browser throws when it can't be loaded */
  const want = async () => {
    if (part !== null) return
    const loaded = await load()
    setPart(() => loaded.default)
  }
  return [part, want] as const
}
