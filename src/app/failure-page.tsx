import { useState } from 'react'
import { isRouteErrorResponse } from 'react-router'
import { paths } from '../lib/paths.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Heading, Page } from '../ui/page.tsx'
import { copy } from './copy.ts'

/** A page that could not be shown: not found, refused, or broken, each in its own words. */
export function FailurePage({ error }: { error: unknown; isPageFailure?: boolean }) {
  const [errorId] = useState(() => crypto.randomUUID().slice(0, 8))
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  const { message, requestId } = describe(error)
  const isSecurity = /security|permission|unauthorized/i.test(message)
  return (
    <Page width="read">
      <Heading>{isSecurity ? copy['boundary.security'] : copy['boundary.other']}</Heading>
      <p className="mt-3">{message}</p>
      <p className="mt-2 text-sm text-soft">Error id: {requestId ?? errorId}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button onClick={() => location.reload()}>{copy['boundary.retry']}</Button>
        <ButtonLink to={paths.home} look="secondary" reloadDocument>
          {copy['boundary.home']}
        </ButtonLink>
        <Button look="quiet" onClick={() => console.error('Reported by a person:', errorId, error)}>
          {copy['boundary.report']}
        </Button>
      </div>
    </Page>
  )
}

export function NotFound() {
  return (
    <Page width="read">
      <title>{copy['notfound.title']}</title>
      <Heading>{copy['notfound.title']}</Heading>
      <p className="mt-3 text-soft">
        There is no page at this address. It may have moved, or the link may be incomplete.
      </p>
      <div className="mt-6">
        <ButtonLink to={paths.home}>{copy['notfound.home']}</ButtonLink>
      </div>
    </Page>
  )
}

function describe(error: unknown): { message: string; requestId: string | undefined } {
  if (isRouteErrorResponse(error)) {
    const reply = error.data as { error?: { message?: string; requestId?: string } } | undefined
    return { message: reply?.error?.message ?? error.statusText, requestId: reply?.error?.requestId }
  }
  return {
    message: error instanceof Error && error.message !== '' ? error.message : 'The page could not be shown.',
    requestId: undefined,
  }
}
