import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { startWorker } from './offline/offline-client.ts'
import { giveUp } from './layout/start-up-client.ts'
import { storePagesWhileReloading } from './layout/steady-reload-client.ts'

storePagesWhileReloading()

startTransition(() => {
  const root = hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
    {
      // React mended it: worth a line, but nothing that a person has to see.
      onRecoverableError: (error) => console.error(error),
      onCaughtError(error) {
        console.error(error)
        // Outside: the document. Where even the frame broke, the router's own page has taken everything away.
        requestAnimationFrame(() => {
          if (document.getElementById('main') !== null) return
          root.unmount()
          giveUp(error)
        })
      },
      onUncaughtError(error) {
        console.error(error)
        giveUp(error)
      },
    },
  )
})

startWorker()
