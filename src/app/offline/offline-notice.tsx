import { useLocation } from 'react-router'
import { copy as platformCopy } from '../../platform/platform.copy.ts'
import { copy } from '../app.copy.ts'
import { useOnline } from './offline-client.ts'
import { needsNetwork } from './offline.ts'
import { useReloadWaits } from '../layout/steady-reload-client.ts'

/** Shown while the browser is offline, with a hint on pages that do not work offline. */
export function OfflineNotice() {
  const isOnline = useOnline()
  const isWaiting = useReloadWaits()
  const need = needsNetwork(useLocation().pathname)
  return (
    <div role="status" data-print="off">
      {isOnline && isWaiting ? (
        <p className="bg-flag-soft px-4 py-2 text-center text-sm text-flag">{copy['offline.waits']}</p>
      ) : null}
      {isOnline ? null : (
        <p className="bg-bad-soft px-4 py-2 text-center text-sm text-bad">
          {platformCopy['net.offline']}
          {need === 'admin' ? ` ${copy['offline.line.admin']}` : null}
          {need === 'payment' ? ` ${copy['offline.line.payment']}` : null}
        </p>
      )}
    </div>
  )
}
