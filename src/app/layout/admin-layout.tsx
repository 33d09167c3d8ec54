import { Outlet, type MetaFunction } from 'react-router'
import { AdminMenu } from './admin-menu.tsx'
import { copy } from '../app.copy.ts'
import { Main } from './site-frame.tsx'

export { adminLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction = () => [{ title: copy['layout.admin'] }, { name: 'robots', content: 'noindex' }]

/** The admin area. Its loader turns everyone else away. */
export default function AdminLayout() {
  return (
    <div className="mx-auto w-full max-w-page flex-1 gap-10 wide:flex wide:px-6 wide:py-10">
      <AdminMenu />
      <Main className="min-w-0 px-4 py-8 tablet:px-6 wide:p-0">
        <Outlet />
      </Main>
    </div>
  )
}
