import { lazy, Suspense, useEffect, useRef, useSyncExternalStore, type ComponentType, type ReactNode } from 'react'

/**
 * A component that the server renders with the page, and whose code the browser loads when its place comes into view. Until then
 * the server's markup stays; after a navigation in the browser the fallback is shown.
 */
export function whenSeen<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let announce = () => {}
  const seen = new Promise<void>((resolve) => {
    announce = resolve
  })
  const Loaded = lazy(async () => {
    if (typeof window !== 'undefined') await seen
    return load()
  }) as unknown as ComponentType<Props>

  return function WhenSeen({ fallback, ...props }: Props & { fallback: ReactNode }) {
    const place = useRef<HTMLDivElement>(null)
    useEffect(() => {
      const observer = new IntersectionObserver((entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) announce()
      })
      if (place.current !== null) observer.observe(place.current)
      return () => observer.disconnect()
    }, [])
    return (
      <div ref={place}>
        <Suspense fallback={fallback}>
          <Loaded {...(props as unknown as Props)} />
        </Suspense>
      </div>
    )
  }
}

/** False while the server renders and until the browser has taken over, so that nothing is typed into what is not listening yet. */
export function useIsLive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

const never = () => () => {}
