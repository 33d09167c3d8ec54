import { useState, type ComponentType } from 'react'

/**
 * Loads a component when it is first needed, such as a drawer. A failed load changes nothing, and the next call tries again.
 * Returns the component, or null before it is loaded, and the function that loads it.
 */
export function usePart<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const [part, setPart] = useState<ComponentType<Props> | null>(null)
  /** @throws TypeError when the browser cannot load the module */
  const loadPart = async () => {
    if (part !== null) return
    const loaded = await load()
    setPart(() => loaded.default)
  }
  return [part, loadPart] as const
}
