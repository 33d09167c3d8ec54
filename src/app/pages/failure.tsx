import { lazy, Suspense, type ComponentType } from 'react'
import { useShownFailure } from '../layout/steady-reload-client.ts'

type Props = { error: unknown }

let loaded: ComponentType<Props> | null = null

/** Loads the failure page's code. Once loaded, a failure is shown at once. */
export async function loadFailurePage(): Promise<{ default: ComponentType<Props> }> {
  const module = await import('./failure-page.tsx')
  loaded = module.default
  return module
}

const Later = lazy(loadFailurePage)

/**
 * Shown instead of a page that does not exist, can't be loaded, or threw an error. Its code is loaded once the page is usable; where it
 * cannot be loaded, the start-up script shows the error.
 */
export function Failure({ error }: Props) {
  useShownFailure()
  const Page = loaded ?? Later
  // The boundary stands around both: the server, which has loaded the page long ago, must write what the browser expects.
  return (
    <Suspense fallback={null}>
      <Page error={error} />
    </Suspense>
  )
}
