import { Heading } from '../../ui/page-parts.tsx'
import { copy } from '../app.copy.ts'
import { needsNetwork } from './offline.ts'

/** Explains why the page at `path` does not open offline. */
export function OfflineMessage({ path }: { path: string }) {
  return (
    <>
      <Heading>{copy['offline.title']}</Heading>
      <p className="mt-3 text-lg text-soft">{copy[`offline.${needsNetwork(path) ?? 'page'}`]}</p>
    </>
  )
}
