import { useSyncExternalStore } from 'react'
import { isOldPage, onOldPage } from '../../platform/api-client.ts'
import { copy } from '../app.copy.ts'

/** Announces that the server has a newer build. The page does not reload by itself, which would lose typed text. */
export function OldPageNotice() {
  const isOld = useSyncExternalStore(onOldPage, isOldPage, () => false)
  return (
    <div role="status" data-print="off">
      {isOld ? (
        <p className="bg-flag-soft px-4 py-1 text-center text-sm text-flag">
          {copy['build.old']}{' '}
          <button type="button" className="min-h-8 font-semibold underline" onClick={() => location.reload()}>
            {copy['build.reload']}
          </button>
        </p>
      ) : null}
    </div>
  )
}
