import { useEffect } from 'react'
import { useRouteLoaderData, type ShouldRevalidateFunctionArgs } from 'react-router'
import type { UserView } from '../../features/accounts/accounts.schema.ts'
import { paths } from '../../lib/paths.ts'
import type { SiteFacts } from '../app.schema.ts'

/** The data of the root loader. */
type RootData = {
  readonly site: SiteFacts
  readonly user: UserView | null
  /** An admin page has just turned the user away. */
  readonly wasDenied: boolean
  /** Number of the newest catalogue change that this data is sure to include. */
  readonly changesSeen: number
  /** Id of the server's build. */
  readonly build: string
}

const unknown: RootData = {
  site: { appUrl: '', brandName: 'Altocert', brandShort: 'Alto', emulators: [] },
  user: null,
  wasDenied: false,
  changesSeen: 0,
  build: '',
}

/** The latest root data of this browser, for the frame around a failure of everything, such as a 503 of a proxy. */
let latest: RootData | undefined

/** Undefined when the root loader failed on the first page of a visit. */
export function useRootData(): RootData | undefined {
  const loaded = useRouteLoaderData('root') as RootData | undefined
  useEffect(() => {
    // The header keeps showing who is signed in while a failure is shown.
    if (loaded !== undefined) latest = loaded
  }, [loaded])
  return loaded ?? latest
}

/** The site and the signed-in user, with defaults when the root loader failed. */
export function useSite(): RootData {
  return useRootData() ?? unknown
}

/** Home filters the courses it already has, so a search needs no reload. */
export function reloadsUnlessSearched({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const isSearch = currentUrl.pathname === paths.home && nextUrl.pathname === paths.home
  return isSearch && currentUrl.search !== nextUrl.search ? false : defaultShouldRevalidate
}
