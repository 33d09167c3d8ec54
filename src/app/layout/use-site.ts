import { useRouteLoaderData, type ShouldRevalidateFunctionArgs } from 'react-router'
import type { UserView } from '../../features/accounts/accounts.schema.ts'
import { paths } from '../../lib/paths.ts'
import type { SiteFacts } from '../app.schema.ts'

/** What the root loader knows. */
type RootData = {
  readonly site: SiteFacts
  readonly user: UserView | null
  /** An admin page turned this person away just now. */
  readonly wasDenied: boolean
  /** The newest catalogue change that this data holds for certain. */
  readonly changesSeen: number
  /** Which build of the pages the server has. */
  readonly build: string
}

const unknown: RootData = {
  site: { appUrl: '', brandName: 'Altocert', brandShort: 'Alto', emulators: [] },
  user: null,
  wasDenied: false,
  changesSeen: 0,
  build: '',
}

/** What the root loader said; undefined when it could not say anything. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData('root') as RootData | undefined
}

/** The installation, and who is signed in. Also there when a page failed. */
export function useSite(): RootData {
  return useRootData() ?? unknown
}

/** Home's search changes what is shown of what is already here, so nobody is asked again. */
export function reloadsUnlessSearched({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const isSearch = currentUrl.pathname === paths.home && nextUrl.pathname === paths.home
  return isSearch && currentUrl.search !== nextUrl.search ? false : defaultShouldRevalidate
}
