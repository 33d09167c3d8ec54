import type { ReactNode } from 'react'
import { Outlet, useLocation, useRevalidator, type MetaFunction } from 'react-router'
import { fill } from '../../lib/failure.ts'
import { ListFailure } from '../../ui/list-failure.tsx'
import { Heading } from '../../ui/page-parts.tsx'
import { AdminMenu, screenNameOf } from './admin-menu.tsx'
import { copy } from '../app.copy.ts'
import { isFailedLoad } from '../pages/failed-loads.ts'
import { Failure } from '../pages/failure.tsx'
import type { FailureHandle } from './failure-handle.ts'
import { Main } from './site-frame.tsx'
import { useShownFailure } from './steady-reload-client.ts'

export { adminLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction = () => [{ title: copy['layout.admin'] }, { name: 'robots', content: 'noindex' }]

export const handle: FailureHandle = { showFailure: (error) => <ErrorBoundary error={error} /> }

/** The admin area. Its loader turns everyone else away. */
export default function AdminLayout() {
  return (
    <AdminFrame>
      <Outlet />
    </AdminFrame>
  )
}

function AdminFrame({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-page flex-1 gap-10 wide:flex wide:px-6 wide:py-10">
      <AdminMenu />
      <Main className="min-w-0 px-4 py-8 tablet:px-6 wide:p-0">{children}</Main>
    </div>
  )
}

/** A screen of the menu that could not be loaded keeps its heading; other failures have their own page. */
export function ErrorBoundary({ error }: { error: unknown }) {
  const name = screenNameOf(useLocation().pathname)
  return (
    <AdminFrame>
      {name !== null && isFailedLoad(error) ? <FailedScreen name={name} /> : <Failure error={error} />}
    </AdminFrame>
  )
}

function FailedScreen({ name }: { name: string }) {
  useShownFailure()
  const { revalidate, state } = useRevalidator()
  return (
    <>
      <title>{name}</title>
      <Heading>{name}</Heading>
      <div className="mt-6">
        <ListFailure
          sentence={fill(copy['list.failed'], { list: name.toLowerCase() })}
          retry={copy['boundary.retry']}
          isBusy={state !== 'idle'}
          onRetry={() => void revalidate()}
        />
      </div>
    </>
  )
}
