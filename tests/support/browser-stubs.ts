import { onTestFinished, vi } from 'vitest'

/**
 * Gives the test's browser these globals and properties of `navigator` until the test ends. Locks are free at once, and warnings
 * are not printed.
 */
export function aBrowserWith(globals: Readonly<Record<string, unknown>>, ofNavigator: object = {}): void {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  const locks = { request: (_name: string, run: () => unknown) => run() }
  const properties = Object.entries({ locks, ...ofNavigator })
  for (const [name, value] of properties) Object.defineProperty(navigator, name, { configurable: true, value })
  vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    for (const [name] of properties) Reflect.deleteProperty(navigator, name)
  })
}
