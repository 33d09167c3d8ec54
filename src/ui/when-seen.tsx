import {
  lazy,
  startTransition,
  Suspense,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ComponentType,
  type ReactNode,
} from 'react'

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
    const [isLoaded, setLoaded] = useState(false)
    useEffect(() => {
      const observer = new IntersectionObserver((entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        announce()
        void load().then(() => startTransition(() => setLoaded(true)))
      })
      if (place.current !== null) observer.observe(place.current)
      return () => observer.disconnect()
    }, [])
    const current = (
      <Suspense fallback={fallback}>
        <Loaded {...(props as unknown as Props)} />
      </Suspense>
    )
    // New props would have to wait for the code, and the whole page's update with them.
    const [first] = useState(current)
    return <div ref={place}>{isLoaded ? current : first}</div>
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
