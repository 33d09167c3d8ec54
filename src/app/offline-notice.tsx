import { useSyncExternalStore } from 'react'
import { copy } from '../platform/copy.ts'

/** Says that there is no network, for as long as there is none. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(onNetwork, isNetworkThere, () => true)
  return (
    <div role="status" data-print="off">
      {isOnline ? null : <p className="bg-bad-soft px-4 py-2 text-center text-sm text-bad">{copy['net.offline']}</p>}
    </div>
  )
}

const isNetworkThere = () => navigator.onLine

function onNetwork(listener: () => void) {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
