import { useEffect, useRef, type ReactNode } from 'react'
import { Link, useMatches } from 'react-router'
import { sendFeedback } from '../features/feedback/client.ts'
import { FeedbackWidget } from '../features/feedback/ui/feedback-widget.tsx'
import { paths } from '../lib/paths.ts'
import { toast } from '../ui/toasts.tsx'
import { copy } from './copy.ts'
import { announce, noteWhoIsHere, type HomeList } from './stored-courses.ts'
import { useLiveChanges } from './live-changes.ts'
import { useKeptPages } from './offline-client.ts'
import { useSite } from './site.ts'
import { Header } from './site-header.tsx'

/** The shop around every page: header, what is between, footer. */
export function SiteFrame({ children }: { children: ReactNode }) {
  useDeniedNotice()
  useLiveChanges()
  useUnsentChanges()
  useSignInNotice()
  useKeptPages()
  useOfflineResults()
  return (
    <div className="flex min-h-dvh flex-col">
      <StandInBanner />
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

const standInWords = { payment: 'payment', mail: 'mail', google: 'Google' } as const

/** Says that what looks real is not: shown only where stand-ins serve. */
function StandInBanner() {
  const { site } = useSite()
  if (site.standIns.length === 0) return null
  return (
    <div className="bg-flag-soft px-4 py-1.5 text-center text-xs text-flag" data-print="off">
      Demo: stand-ins serve {site.standIns.map((name) => standInWords[name]).join(', ')}. No real money, no real mail.{' '}
      {site.standIns.includes('mail') ? (
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
  const { person } = useSite()
  const by = person?.role === 'admin' ? person.id : null
  useEffect(() => {
    // Outside: what lies on the device. Nobody but admins loads the code for it.
    if (by !== null) void import('../features/catalogue/sync/browser/client.ts').then(({ startSync }) => startSync(by))
  }, [by])
}

/** Spec 4: the list that a sign-in leads to is said to be there. */
function useSignInNotice() {
  const { person } = useSite()
  const matches = useMatches()
  const last = useRef(person?.id ?? null)
  const isNew = useRef(false)
  useEffect(() => {
    // Outside: the toasts. The sign-in page itself is left a moment after the session is known.
    if (last.current === null && person !== null) isNew.current = true
    last.current = person?.id ?? null
    noteWhoIsHere(person)
    if (!isNew.current || matches.some(({ id }) => id.endsWith('login-page'))) return
    isNew.current = false
    const list = matches.findLast(({ id }) => id.endsWith('home-page') || id.endsWith('course-management-page'))
    const { newer, allCount, foundCount } = (list?.data ?? {}) as Partial<HomeList>
    const count = allCount ?? foundCount
    if (person === null || count === undefined) return
    void (newer ?? Promise.resolve({ allCount: count })).then((shown) => {
      if (shown !== null) announce(shown.allCount, person.role === 'admin')
    })
  }, [person, matches])
}

/** What was practised offline is sent when there is a network, and what is on this device for somebody else goes. */
function useOfflineResults() {
  const personId = useSite().person?.id ?? null
  useEffect(() => {
    // Outside: the device and the network. Nothing of it is needed for the page that is shown.
    const look = async () => {
      if (!navigator.onLine) return
      try {
        const packs = await import('../features/attempts/saving/packs/client.ts')
        await packs.forgetOthers(personId)
        if (personId === null) return
        await packs.sendResults(personId)
        await packs.renewPacks()
      } catch (error) {
        console.warn('What was practised offline could not be sent:', error)
      }
    }
    const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 1000))
    idle(() => void look())
    const handleOnline = () => void look()
    window.addEventListener('online', handleOnline)
    return () => window.removeEventListener('online', handleOnline)
  }, [personId])
}
