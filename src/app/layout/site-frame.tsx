import { useEffect, useRef, type ReactNode } from 'react'
import { Link, useMatches } from 'react-router'
import { sendFeedback } from '../../features/feedback/feedback-client.ts'
import { FeedbackWidget } from '../../features/feedback/ui/feedback-widget.tsx'
import { paths } from '../../lib/paths.ts'
import { toast } from '../../ui/toasts.tsx'
import { copy } from '../app.copy.ts'
import { announce, noteWhoIsHere, type HomeList } from '../pages/stored-courses-client.ts'
import { useLiveChanges } from './use-live-changes.ts'
import { useStoredPages } from '../offline/offline-client.ts'
import { useSite } from './use-site.ts'
import { Header } from './site-header.tsx'

/** The shop around every page: header, what is between, footer. */
export function SiteFrame({ children }: { children: ReactNode }) {
  useDeniedNotice()
  useLiveChanges()
  useUnsentChanges()
  useSignInNotice()
  useStoredPages()
  useOfflineResults()
  return (
    <div className="flex min-h-dvh flex-col">
      <EmulatorBanner />
      <Header />
      {children}
      <Footer />
      <FeedbackWidget onSend={sendFeedback} />
    </div>
  )
}

/** What a page is about. Who skips what is around it comes here. */
export function Main({ className = '', children }: { className?: string; children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className={`flex-1 focus:outline-none ${className}`}>
      {children}
    </main>
  )
}

function Footer() {
  const { site } = useSite()
  return (
    <footer className="mt-12 border-t border-line">
      <div className="mx-auto flex max-w-page flex-wrap items-center justify-between gap-4 px-4 py-8 text-sm text-soft tablet:px-6">
        <p>{site.brandName}. Practice exams in our own words, not affiliated with any certification provider.</p>
        <nav aria-label="Footer" className="flex gap-4">
          <Link to={paths.home} className="hover:text-ink hover:underline">
            {copy['layout.home']}
          </Link>
          <Link to={paths.myCourses} className="hover:text-ink hover:underline">
            {copy['layout.courses']}
          </Link>
        </nav>
      </div>
    </footer>
  )
}

const emulatorWords = { payment: 'payment', mail: 'mail', google: 'Google' } as const

/** Says that what looks real is not: shown only where stand-ins serve. */
function EmulatorBanner() {
  const { site } = useSite()
  if (site.emulators.length === 0) return null
  return (
    <div className="bg-flag-soft px-4 py-1.5 text-center text-xs text-flag" data-print="off">
      Demo: stand-ins serve {site.emulators.map((name) => emulatorWords[name]).join(', ')}. No real money, no real mail.{' '}
      {site.emulators.includes('mail') ? (
        <a href="/demo/outbox" className="font-semibold underline">
          Open the outbox
        </a>
      ) : null}
    </div>
  )
}

/** An admin page turned this person away a moment ago. */
function useDeniedNotice() {
  const site = useSite()
  useEffect(() => {
    // Outside: the toasts. Each reply of the server is a value of its own, and says it once.
    if (site.wasDenied) toast('error', copy['guard.denied.title'], copy['guard.denied.text'])
  }, [site])
}

/** What an admin changed here and the server does not have yet is sent from whichever page is open. */
function useUnsentChanges() {
  const { user } = useSite()
  const by = user?.role === 'admin' ? user.id : null
  useEffect(() => {
    // Outside: what lies on the device. Nobody but admins loads the code for it.
    if (by !== null)
      void import('../../features/catalogue/data-calls/tab-sync-client.ts').then(({ startSync }) => startSync(by))
  }, [by])
}

/** Spec 4: the list that a sign-in leads to is said to be there. */
function useSignInNotice() {
  const { user } = useSite()
  const matches = useMatches()
  const last = useRef(user?.id ?? null)
  const isNew = useRef(false)
  useEffect(() => {
    // Outside: the toasts. The sign-in page itself is left a moment after the session is known.
    if (last.current === null && user !== null) isNew.current = true
    last.current = user?.id ?? null
    noteWhoIsHere(user)
    if (!isNew.current || matches.some(({ id }) => id.endsWith('login-page'))) return
    isNew.current = false
    const list = matches.findLast(({ id }) => id.endsWith('home-page') || id.endsWith('course-management-page'))
    const { newer, allCount, foundCount } = (list?.data ?? {}) as Partial<HomeList>
    const count = allCount ?? foundCount
    if (user === null || count === undefined) return
    void (newer ?? Promise.resolve({ allCount: count })).then((shown) => {
      if (shown !== null) announce(shown.allCount, user.role === 'admin')
    })
  }, [user, matches])
}

/** What was practised offline is sent when there is a network, and what is on this device for somebody else goes. */
function useOfflineResults() {
  const userId = useSite().user?.id ?? null
  useEffect(() => {
    // Outside: the device and the network. Nothing of it is needed for the page that is shown.
    const look = async () => {
      if (!navigator.onLine) return
      try {
        const offlineExams = await import('../../features/attempts/offline-exams/offline-exams-client.ts')
        await offlineExams.clearOthers(userId)
        if (userId === null) return
        await offlineExams.sendResults(userId)
        await offlineExams.renewOfflineExams()
      } catch (error) {
        console.warn('What was practised offline could not be sent:', error)
      }
    }
    const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 1000))
    idle(() => void look())
    const handleOnline = () => void look()
    window.addEventListener('online', handleOnline)
    return () => window.removeEventListener('online', handleOnline)
  }, [userId])
}
