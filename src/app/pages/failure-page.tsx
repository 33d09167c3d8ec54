import { useEffect, useState, useSyncExternalStore } from 'react'
import { isRouteErrorResponse, useLocation, useRevalidator } from 'react-router'
import { listAuthErrors } from '../../features/accounts/accounts-client.ts'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { reportBug } from '../../platform/bug-reports/bug-reports-client.ts'
import { toastSentence } from '../../platform/error-causes.ts'
import { CallFailed, messageOf } from '../../platform/api-client.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Heading, Page } from '../../ui/page-parts.tsx'
import { copy } from '../app.copy.ts'
import { isStored } from '../offline/offline-client.ts'
import { OfflineWords } from '../offline/offline-words.tsx'
import { useSeenFailure } from '../layout/steady-reload-client.ts'

/** A page that could not be shown: not found, refused, or broken, each in its own words. */
export function FailurePage({ error }: { error: unknown }) {
  useSeenFailure()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound what={describe(error).message} />
  if (isLostNetwork(error)) return <NoNetwork />
  return <BrokenPage error={error} />
}

function BrokenPage({ error }: { error: unknown }) {
  const { message, requestId } = describe(error)
  // What a library throws is for the report; people read our own sentences.
  const isOurs = isRouteErrorResponse(error) || error instanceof CallFailed
  const madeHere = useSyncExternalStore(neverChanges, () => errorIdOf(error), noId)
  const errorId = requestId ?? madeHere
  const { revalidate, state } = useRevalidator()
  const [report, setReport] = useState<string | null>(null)
  const isSecurity = /security|permission|unauthorized/i.test(message)
  const title = isSecurity ? copy['boundary.security'] : copy['boundary.other']
  const handleReport = async () => {
    try {
      await reportBug({
        errorId,
        message: message.slice(0, 2000),
        stack: error instanceof Error ? (error.stack ?? '').slice(0, 8000) : '',
        path: location.pathname.slice(0, 500),
        authCodes: listAuthErrors()
          .slice(-10)
          .map(({ code }) => code),
      })
      setReport(copy['boundary.reported'])
    } catch (problem) {
      setReport(messageOf(problem))
    }
  }
  return (
    <Page width="read">
      <title>{title}</title>
      <Heading>{title}</Heading>
      <p className="mt-3">{isOurs ? toastSentence(message) : copy['boundary.text']}</p>
      <p className="mt-2 text-sm text-soft">{fill(copy['boundary.id'], { id: errorId })}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        {/* Loading the page's data again clears the error; if it is still there, this page comes back. */}
        <Button disabled={state !== 'idle'} onClick={() => void revalidate()}>
          {copy['boundary.retry']}
        </Button>
        <ButtonLink to={paths.home} look="secondary" reloadDocument>
          {copy['boundary.home']}
        </ButtonLink>
        <Button look="quiet" onClick={() => void handleReport()}>
          {copy['boundary.report']}
        </Button>
      </div>
      <p role="status" className="mt-4 text-sm text-soft">
        {report}
      </p>
    </Page>
  )
}

/** `what` was looked for and is not there, in a sentence, where an address says it. */
export function NotFound({ what }: { what?: string | undefined }) {
  return (
    <Page width="read">
      <title>{copy['notfound.title']}</title>
      <Heading>{copy['notfound.title']}</Heading>
      {what ? <p className="mt-3 font-semibold">{what}</p> : null}
      <p className="mt-3 text-soft">
        There is no page at this address. It may have moved, or the link may be incomplete.
      </p>
      <div className="mt-6">
        <ButtonLink to={paths.home}>{copy['notfound.home']}</ButtonLink>
      </div>
    </Page>
  )
}

const neverChanges = () => () => {}
const noId = () => ''
const ids = new WeakMap<object, string>()

/** One error has one id, however often it is shown. The server's page has none: there the request's id is known. */
function errorIdOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error).slice(0, 8)
  const id = ids.get(error) ?? crypto.randomUUID().slice(0, 8)
  ids.set(error, id)
  return id
}

/** The page's data could not be fetched. What was seen as a whole page opens again from what the browser kept. */
function NoNetwork() {
  const { pathname, search } = useLocation()
  useEffect(() => {
    // Outside: what the service worker kept, and the address bar.
    void isStored(pathname + search).then((isThere) => {
      if (isThere) location.reload()
    })
  }, [pathname, search])
  return (
    <Page width="read">
      <title>{copy['offline.title']}</title>
      <OfflineWords path={pathname} />
      <div className="mt-6 flex flex-wrap gap-3">
        <Button onClick={() => location.reload()}>{copy['boundary.retry']}</Button>
        <ButtonLink to={paths.home} look="secondary" reloadDocument>
          {copy['boundary.home']}
        </ButtonLink>
      </div>
    </Page>
  )
}

/** What `fetch` throws when there is no network, or nobody answers. */
function isLostNetwork(error: unknown): boolean {
  return error instanceof TypeError && /fetch|network|load failed/i.test(error.message)
}

function describe(error: unknown): { message: string; requestId: string | undefined } {
  if (isRouteErrorResponse(error)) {
    const reply = error.data as { error?: { message?: string; requestId?: string } } | undefined
    return { message: reply?.error?.message ?? error.statusText, requestId: reply?.error?.requestId }
  }
  return {
    message: error instanceof Error && error.message !== '' ? error.message : copy['boundary.text'],
    requestId: undefined,
  }
}
