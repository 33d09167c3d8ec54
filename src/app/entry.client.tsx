import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { giveUp } from './layout/start-up-client.ts'
import { keepPageWhileReloading } from './layout/steady-reload-client.ts'

keepPageWhileReloading()

startTransition(() => {
  const root = hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
    {
      // React recovered by itself, so the user sees nothing.
      onRecoverableError: (error) => console.error(error),
      onCaughtError(error) {
        console.error(error)
        // A document without `main` means that the frame itself failed and the router shows its own bare page.
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
