import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether scripts have taken the page over: false on the server and where no script runs. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
