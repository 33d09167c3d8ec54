import { useLocation, useSearchParams } from 'react-router'
import { safeReturnPath } from '../../../lib/paths.ts'

/** Where to go after signing in: the router's state, else ?redirect=, else home; only a path on this site. */
export function useReturnPath(): string {
  const [search] = useSearchParams()
  const state = useLocation().state as { from?: unknown } | null
  return safeReturnPath(typeof state?.from === 'string' ? state.from : search.get('redirect'))
}
