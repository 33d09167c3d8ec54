import { Outlet, useMatches } from 'react-router'
import { ADMIN_ROUTE } from './known-routes-client.ts'
import { Main, SiteFrame } from './site-frame.tsx'

/** Every page of the shop and of the admin area, which has its menu beside the main content. */
export default function SiteLayout() {
  const isAdminArea = useMatches().some(({ id }) => id === ADMIN_ROUTE)
  return (
    <SiteFrame>
      {isAdminArea ? (
        <Outlet />
      ) : (
        <Main>
          <Outlet />
        </Main>
      )}
    </SiteFrame>
  )
}
