import { Outlet } from 'react-router'
import { Main } from './site-frame.tsx'

/** Every page of the shop outside the admin area. */
export default function ShopLayout() {
  return (
    <Main>
      <Outlet />
    </Main>
  )
}
