import { Heading } from '../../ui/page-parts.tsx'
import { copy } from '../app.copy.ts'
import { needsNetwork } from './offline.ts'

const sentences = {
  admin: copy['offline.admin'],
  payment: copy['offline.payment'],
  exam: copy['offline.exam'],
  account: copy['offline.account'],
  page: copy['offline.page'],
}

/** Explains why the page at `path` does not open offline. */
export function OfflineMessage({ path }: { path: string }) {
  return (
    <>
      <Heading>{copy['offline.title']}</Heading>
      <p className="mt-3 text-lg text-soft">{sentences[needsNetwork(path) ?? 'page']}</p>
    </>
  )
}
