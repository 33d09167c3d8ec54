import { useRouteLoaderData } from 'react-router'
import type { PersonView } from '../features/accounts/schema.ts'
import type { SiteFacts } from './schema.ts'

const nowhere: SiteFacts = { appUrl: '', brandName: 'Altocert', brandShort: 'Alto', standIns: [] }

/** What the root loader knows: the installation, and who is signed in. Also there when a page failed. */
export function useSite(): { readonly site: SiteFacts; readonly person: PersonView | null } {
  const data = useRouteLoaderData('root') as { site: SiteFacts; person: PersonView | null } | undefined
  return data ?? { site: nowhere, person: null }
}
