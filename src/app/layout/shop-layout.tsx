import { Outlet } from 'react-router'
import { Main } from './site-frame.tsx'

/** Everything but the admin's area: between header and footer there is nothing beside the page. */
export default function ShopLayout() {
  return (
    <Main>
      <Outlet />
    </Main>
  )
}
