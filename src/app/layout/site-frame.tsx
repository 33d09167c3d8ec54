import { useEffect, useRef, type ReactNode } from 'react'
import { Link, useLocation, useMatches } from 'react-router'
import { ConfirmationHost } from '../../features/accounts/second-factor/ui/confirmation-host.tsx'
import { sendFeedback } from '../../features/feedback/feedback-client.ts'
import { FeedbackWidget } from '../../features/feedback/ui/feedback-widget.tsx'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { toast } from '../../ui/toasts.tsx'
import { copy } from '../app.copy.ts'
import { announce, noteUser, type HomeList } from '../pages/stored-courses-client.ts'
import { useLiveChanges } from './use-live-changes.ts'
import { useStoredPages } from '../offline/offline-client.ts'
import { useSite } from './use-site.ts'
import { Header } from './site-header.tsx'
import { pluralOf } from '../../lib/text.ts'

/** Header, page and footer of every page in the shop, and the effects that run on all of them. */
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
      <ScriptlessNotice />
      <Header />
      {children}
      <Footer />
      <ConfirmationHost />
      <FeedbackWidget onSend={sendFeedback} />
    </div>
  )
}

/** The main content, target of the skip link. */
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

const listFormat = new Intl.ListFormat('en')
const emulatorText = { payment: 'payment', mail: 'email', google: 'Google sign-in' } as const

/** Shown wherever an emulator runs, so that nobody takes it for the real service. */
function EmulatorBanner() {
  const { site } = useSite()
  if (site.emulators.length === 0) return null
  const services = listFormat.format(site.emulators.map((name) => emulatorText[name]))
  return (
    <div className="bg-flag-soft px-4 py-1.5 text-center text-xs text-flag" data-print="off">
      {fill(pluralOf(site.emulators.length, copy['demo.banner.one'], copy['demo.banner']), { services })}{' '}
      {site.emulators.includes('mail') ? (
        <a href="/demo/outbox" className="font-semibold underline">
          Open the outbox
        </a>
      ) : null}
    </div>
  )
}

/** Says what is missing where no script runs or loads. */
function ScriptlessNotice() {
  const { pathname, search } = useLocation()
  return (
    <div
      role="status"
      className="hidden border-b border-line bg-surface px-4 py-1.5 text-center text-xs text-soft scriptless:block"
      data-print="off"
    >
      {copy['scriptless.text']}{' '}
      <a href={pathname + search} className="font-semibold text-accent underline">
        {copy['scriptless.reload']}
      </a>
    </div>
  )
}

/** Shows a toast after an admin page turned the user away. */
function useDeniedNotice() {
  const site = useSite()
  useEffect(() => {
    // Each server reply is a new object, so the effect runs once for each denial.
    if (site.wasDenied) toast('error', copy['guard.denied.title'], copy['guard.denied.text'])
  }, [site])
}

/** Sends an admin's unsent changes, from whichever page is open. */
function useUnsentChanges() {
  const { user } = useSite()
  const adminId = user?.role === 'admin' ? user.id : null
  useEffect(() => {
    // Unsent changes are in local storage. Only admins load the code for it.
    if (adminId !== null)
      void import('../../features/catalogue/data-calls/tab-sync-client.ts').then(({ startSync }) => startSync(adminId))
  }, [adminId])
}

/** After a sign-in, a toast announces that the list of courses is loaded. */
function useSignInNotice() {
  const { user } = useSite()
  const matches = useMatches()
  const lastUserId = useRef(user?.id ?? null)
  const isNew = useRef(false)
  useEffect(() => {
    // The session is known a moment before the sign-in page navigates away.
    if (lastUserId.current === null && user !== null) isNew.current = true
    lastUserId.current = user?.id ?? null
    noteUser(user)
    if (!isNew.current || matches.some(({ id }) => id.endsWith('login-page'))) return
    isNew.current = false
    const list = matches.findLast(({ id }) => id.endsWith('home-page') || id.endsWith('course-management-page'))
    const { newer, allCount, foundCount } = (list?.data ?? {}) as Partial<HomeList>
    const count = allCount ?? foundCount
    if (user === null || count === undefined) return
    void (newer ?? Promise.resolve({ allCount: count })).then((latest) => {
      if (latest !== null) announce(latest.allCount, user.role === 'admin')
    })
  }, [user, matches])
}

/** Online, sends offline results and deletes offline exams of other users of this device. */
function useOfflineResults() {
  const userId = useSite().user?.id ?? null
  useEffect(() => {
    // Runs when the browser is idle, because the open page does not need it.
    const sync = async () => {
      if (!navigator.onLine) return
      try {
        const offlineExams = await import('../../features/attempts/offline-exams/offline-exams-client.ts')
        await offlineExams.clearOthers(userId)
        if (userId === null) return
        await offlineExams.sendResults(userId)
        await offlineExams.renewOfflineExams()
      } catch (error) {
        console.warn('Offline results could not be sent:', error)
      }
    }
    const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 1000))
    idle(() => void sync())
    const handleOnline = () => void sync()
    window.addEventListener('online', handleOnline)
    return () => window.removeEventListener('online', handleOnline)
  }, [userId])
}
