import { useEffect, useState, useSyncExternalStore } from 'react'
import type { MetaFunction } from 'react-router'
import { KeptExams, useKeptExams } from '../../features/attempts/offline-exams/kept-exams.tsx'
import { waitBeforeRetry } from '../../features/attempts/saving/answer-queue.ts'
import { paths, safeReturnPath } from '../../lib/paths.ts'
import { SECOND_MS } from '../../lib/time.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page-parts.tsx'
import { copy } from '../app.copy.ts'
import { privatePage } from '../layout/page-meta.ts'
import { listStoredPages, type StoredPage } from './stored-pages-client.ts'
import { OfflineMessage } from './offline-message.tsx'
import { useSite } from '../layout/use-site.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['offline.title'])

/** Shown by the service worker instead of a page that is not stored. Its HTML is the same for everyone. */
export default function OfflinePage() {
  const { site } = useSite()
  // The server renders it without an address, so the query is read in the browser.
  const search = useSyncExternalStore(neverChanges, () => location.search, noSearch)
  const from = safeReturnPath(new URLSearchParams(search).get('from'))
  const exams = useKeptExams()
  const [pages, setPages] = useState<readonly StoredPage[]>([])
  useReturnToPage(from)
  useEffect(() => {
    // The list comes from the caches of the service worker.
    void listStoredPages().then(setPages)
  }, [])
  return (
    <main id="main" tabIndex={-1} className="min-h-dvh focus:outline-none">
      <Page width="read">
        <a href={paths.home} className="text-lg font-semibold tracking-tight">
          {site.brandName}
        </a>
        <div className="mt-10">
          <OfflineMessage path={from.split('?')[0] ?? from} />
        </div>
        <div className="mt-6">
          <ButtonLink to={from} reloadDocument>
            {copy['boundary.retry']}
          </ButtonLink>
        </div>
        <KeptExams exams={exams ?? []} />
        {pages.length === 0 ? null : (
          <section aria-labelledby="kept-heading" className="mt-12">
            <h2 id="kept-heading" className="text-xl font-semibold">
              {copy['offline.kept']}
            </h2>
            <ul className="mt-4 divide-y divide-line border-y border-line">
              {pages.map(({ path, title }) => (
                <li key={path}>
                  <a href={path} className="block py-3 font-medium hover:underline">
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
      </Page>
    </main>
  )
}

/**
 * Opens the missed page once the network is back, also after a reload of this page, which stays at its own address. Browsers say so
 * a moment too early, and then the missed page would be missed again: the server has to answer first.
 */
function useReturnToPage(from: string) {
  useEffect(() => {
    // The page's own address has no missed page behind it.
    if (!new URLSearchParams(location.search).has('from')) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const goBack = async (failures = 0) => {
      clearTimeout(timer)
      const isThere = await isServerThere()
      if (isGone) return
      if (isThere) return location.replace(from)
      // Without a network the browser says when it is back.
      if (navigator.onLine)
        timer = setTimeout(() => void goBack(failures + 1), waitBeforeRetry(failures + 1, Math.random()))
    }
    const [load] = performance.getEntriesByType('navigation')
    const isReload = load instanceof PerformanceNavigationTiming && load.type === 'reload'
    // With a network the page was missed for another reason, which may pass, or a moment too early.
    if (navigator.onLine) timer = setTimeout(() => void goBack(), isReload ? 0 : waitBeforeRetry(1, Math.random()))
    const handleOnline = () => void goBack()
    window.addEventListener('online', handleOnline)
    return () => {
      isGone = true
      clearTimeout(timer)
      window.removeEventListener('online', handleOnline)
    }
  }, [from])
}

const ANSWER_MS = 10 * SECOND_MS

function isServerThere(): Promise<boolean> {
  return fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

const neverChanges = () => () => {}
const noSearch = () => ''
