import { useEffect, useEffectEvent } from 'react'

/** Saves again when the network is back, after a save that failed without it. */
export function useSavingWhenOnline(isCutOff: boolean, save: () => void): void {
  const handleOnline = useEffectEvent(save)
  useEffect(() => {
    // Retry a save that failed offline.
    if (!isCutOff) return
    const handle = () => handleOnline()
    window.addEventListener('online', handle)
    return () => window.removeEventListener('online', handle)
  }, [isCutOff])
}
