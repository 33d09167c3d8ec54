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

type Module<Props> = { readonly default: ComponentType<Props> }

/**
 * A component that the server renders with the page, and whose code the browser loads when its place comes into view. Until then
 * the server's markup stays; after a navigation in the browser the fallback is shown. Code that cannot be loaded changes nothing, and
 * is requested again when the place comes into view again.
 */
export function whenSeen<Props extends object>(load: () => Promise<Module<Props>>) {
  let announce: (module: Module<Props>) => void = () => {}
  const loaded = new Promise<Module<Props>>((resolve) => {
    announce = resolve
  })
  const Loaded = lazy(() => (typeof window === 'undefined' ? load() : loaded)) as unknown as ComponentType<Props>

  return function WhenSeen({ fallback, ...props }: Props & { fallback: ReactNode }) {
    const place = useRef<HTMLDivElement>(null)
    const [isLoaded, setLoaded] = useState(false)
    useEffect(() => {
      const observer = new IntersectionObserver((entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        load().then(
          (module) => {
            announce(module)
            startTransition(() => setLoaded(true))
          },
          (error: unknown) => console.warn('A part of the page could not be loaded:', error),
        )
      })
      if (place.current !== null) observer.observe(place.current)
      return () => observer.disconnect()
    }, [])
    const current = (
      <Suspense fallback={fallback}>
        <Loaded {...(props as unknown as Props)} />
      </Suspense>
    )
    // An update with new props would wait until the code is loaded, and would hold back the whole page.
    const [initial] = useState(current)
    return <div ref={place}>{isLoaded ? current : initial}</div>
  }
}

/** False while the server renders and until React has hydrated the markup: controls that do nothing yet stay disabled. */
export function useIsLive(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
}

const neverChanges = () => () => {}
