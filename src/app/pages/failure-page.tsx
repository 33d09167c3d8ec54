import { useEffect, useState, useSyncExternalStore } from 'react'
import { isRouteErrorResponse, useLocation, useRevalidator } from 'react-router'
import { fill, type FailureReply } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { reportBug } from '../../platform/bug-reports/bug-reports-client.ts'
import { toastSentence } from '../../platform/network-causes.ts'
import { CallFailed, messageOf } from '../../platform/api-client.ts'
import { copy as platformCopy } from '../../platform/platform.copy.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Heading, Page } from '../../ui/page-parts.tsx'
import { useMutation } from '../../ui/use-mutation.ts'
import { copy } from '../app.copy.ts'
import { isStored } from '../offline/stored-pages-client.ts'
import { OfflineMessage } from '../offline/offline-message.tsx'
import { isLostNetwork } from './failed-loads.ts'

/** From when on a page is loaded again while the database is away. */
const RETRY_MS = 5_000
const waitTitle = platformCopy['limit.title']

/** The page of an error, by its kind. */
export default function FailurePage({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound what={replyOf(error)?.message} />
  if (isRouteErrorResponse(error) && error.status === 429) return <Waiting sentence={describe(error).message} />
  if (codeOf(error) === 'server.away') return <Away />
  if (codeOf(error) === 'second-factor.required') return <FactorMissing what={describe(error).message} />
  if (isLostNetwork(error)) return <NoNetwork />
  return <BrokenPage error={error} />
}

function BrokenPage({ error }: { error: unknown }) {
  const { message, requestId } = describe(error)
  // Messages of libraries go into the report only; users read our own sentences.
  const isOurs = isRouteErrorResponse(error) || error instanceof CallFailed
  const madeHere = useSyncExternalStore(neverChanges, () => errorIdOf(error), noId)
  const errorId = requestId ?? madeHere
  const { revalidate, state } = useRevalidator()
  const isSecurity = /security|permission|unauthorized/i.test(message)
  const title = isSecurity ? copy['boundary.security'] : copy['boundary.other']
  const [isReported, setReported] = useState(false)
  const report = useMutation(async () => reportBug(await reportOf(error, errorId)), {
    onSuccess: () => setReported(true),
  })
  return (
    <Page width="read">
      <title>{title}</title>
      <Heading>{title}</Heading>
      <p className="mt-3">{isOurs ? toastSentence(message) : copy['boundary.text']}</p>
      <p className="mt-2 text-sm text-soft">{fill(copy['boundary.id'], { id: errorId })}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        {/* Loading the page's data again clears the error; if it persists, this page returns. */}
        <Button aria-busy={state !== 'idle'} onClick={() => void revalidate()}>
          {copy['boundary.retry']}
        </Button>
        <ButtonLink to={paths.home} look="secondary" reloadDocument>
          {copy['boundary.home']}
        </ButtonLink>
        <Button look="quiet" {...report.button} onClick={() => report.run()}>
          {copy['boundary.report']}
        </Button>
      </div>
      <p role="status" className="mt-4 text-sm text-soft">
        {report.failure !== null ? messageOf(report.failure) : isReported ? copy['boundary.reported'] : null}
      </p>
    </Page>
  )
}

/** A limit was reached. The address, with the search that was typed, stays. */
function Waiting({ sentence }: { sentence: string }) {
  const { revalidate, state } = useRevalidator()
  return (
    <Page width="read">
      <title>{waitTitle}</title>
      <Heading>{waitTitle}</Heading>
      <p className="mt-3">{sentence}</p>
      <div className="mt-6">
        <Button aria-busy={state !== 'idle'} onClick={() => void revalidate()}>
          {copy['boundary.retry']}
        </Button>
      </div>
    </Page>
  )
}

/** The database is away. The page tries again until it answers. */
function Away() {
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    if (state !== 'idle') return undefined
    const timer = setTimeout(() => void revalidate(), RETRY_MS + Math.random() * RETRY_MS)
    return () => clearTimeout(timer)
  }, [revalidate, state])
  return (
    <Page width="read">
      <title>{copy['away.title']}</title>
      <Heading>{copy['away.title']}</Heading>
      <p className="mt-3">{copy['away.text']}</p>
      <p className="mt-3 text-soft">{copy['away.again']}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button aria-busy={state !== 'idle'} onClick={() => void revalidate()}>
          {copy['boundary.retry']}
        </Button>
        <ButtonLink to={paths.home} look="secondary" reloadDocument>
          {copy['boundary.home']}
        </ButtonLink>
      </div>
    </Page>
  )
}

/** `what` is a sentence that names the missing thing. */
export function NotFound({ what }: { what?: string | undefined }) {
  return (
    <Page width="read">
      <title>{copy['notfound.title']}</title>
      <Heading>{copy['notfound.title']}</Heading>
      {what === undefined ? null : <p className="mt-3 font-semibold">{what}</p>}
      <p className="mt-3 text-soft">
        {what === undefined ? 'There is no page at this address. ' : null}
        It may have moved, or the link may be incomplete.
      </p>
      <div className="mt-6">
        <ButtonLink to={paths.home}>{copy['notfound.home']}</ButtonLink>
      </div>
    </Page>
  )
}

/** An admin has to set up a second factor before any admin page opens. */
function FactorMissing({ what }: { what: string }) {
  return (
    <Page width="read">
      <title>{copy['factor-missing.title']}</title>
      <Heading>{copy['factor-missing.title']}</Heading>
      <p className="mt-3">{what}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink to={paths.accountSecurity}>{copy['factor-missing.go']}</ButtonLink>
        <ButtonLink to={paths.home} look="secondary" reloadDocument>
          {copy['boundary.home']}
        </ButtonLink>
      </div>
    </Page>
  )
}

function codeOf(error: unknown): string | undefined {
  return isRouteErrorResponse(error) ? replyOf(error)?.code : undefined
}

const neverChanges = () => () => {}
const noId = () => ''
const ids = new WeakMap<object, string>()

/** The same id for an error each time it is shown. Errors from the server show the request's id instead. */
function errorIdOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error).slice(0, 8)
  const id = ids.get(error) ?? crypto.randomUUID().slice(0, 8)
  ids.set(error, id)
  return id
}

/** The page's data could not be fetched. A reload shows the copy of the page that the service worker stored, if any. */
function NoNetwork() {
  const { pathname, search } = useLocation()
  useEffect(() => {
    // Reload if the service worker has stored this page.
    void isStored(pathname + search).then((isAvailable) => {
      if (isAvailable) location.reload()
    })
  }, [pathname, search])
  return (
    <Page width="read">
      <title>{copy['offline.title']}</title>
      <OfflineMessage path={pathname} />
      <div className="mt-6 flex flex-wrap gap-3">
        <Button onClick={() => location.reload()}>{copy['boundary.retry']}</Button>
        <ButtonLink to={paths.home} look="secondary" reloadDocument>
          {copy['boundary.home']}
        </ButtonLink>
      </div>
    </Page>
  )
}

async function reportOf(error: unknown, errorId: string) {
  const { listAuthErrors } = await import('../../features/accounts/accounts-client.ts')
  return {
    errorId,
    message: describe(error).message.slice(0, 2000),
    stack: error instanceof Error ? (error.stack ?? '').slice(0, 8000) : '',
    path: location.pathname.slice(0, 500),
    authCodes: listAuthErrors()
      .slice(-10)
      .map(({ code }) => code),
  }
}

/** What the server said; undefined for an address that no page has. */
function replyOf({ data }: { data: unknown }): Partial<FailureReply['error']> | undefined {
  try {
    // A text where the request was refused before the framework ran.
    const reply: unknown = typeof data === 'string' ? JSON.parse(data) : data
    return (reply as Partial<FailureReply> | null)?.error
  } catch {
    return undefined
  }
}

function describe(error: unknown): { message: string; requestId: string | undefined } {
  if (isRouteErrorResponse(error)) {
    const reply = replyOf(error)
    return { message: reply?.message ?? error.statusText, requestId: reply?.requestId }
  }
  return {
    message: error instanceof Error && error.message !== '' ? error.message : copy['boundary.text'],
    requestId: undefined,
  }
}
