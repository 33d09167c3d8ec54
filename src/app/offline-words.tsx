import { Heading } from '../ui/page.tsx'
import { copy } from './copy.ts'
import { needsNetwork } from './offline-rules.ts'

/** Why this page does not open now. */
export function OfflineWords({ path }: { path: string }) {
  return (
    <>
      <Heading>{copy['offline.title']}</Heading>
      <p className="mt-3 text-lg text-soft">{copy[`offline.${needsNetwork(path) ?? 'page'}`]}</p>
    </>
  )
}
