import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { ConfirmationHost } from '../../features/accounts/second-factor/ui/confirmation-host.tsx'
import { sendFeedback } from '../../features/feedback/feedback-client.ts'
import { FeedbackWidget } from '../../features/feedback/ui/feedback-widget.tsx'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { copy } from '../app.copy.ts'
import { noteUser } from '../pages/stored-courses-client.ts'
import { useSite } from './use-site.ts'
import { AwayLine } from './away-line.tsx'
import { Header } from './site-header.tsx'
import { pluralOf } from '../../lib/text.ts'

/** Header, page and footer of every page in the shop, and the effects that run on all of them. */
export function SiteFrame({ children }: { children: ReactNode }) {
  const user = useSite().user
  useEffect(() => noteUser(user), [user])
  return (
    <div className="flex min-h-dvh flex-col">
      <AwayLine />
      <EmulatorBanner />
      <ScriptlessNotice />
      <Header />
      {children}
      <Footer />
      <ConfirmationHost />
      <LateEffects />
      <FeedbackWidget onSend={sendFeedback} />
    </div>
  )
}

/** The frame's effects, which are loaded once the page is usable. */
function LateEffects() {
  const [Effects, setEffects] = useState<ComponentType | null>(null)
  useEffect(() => {
    // Later than what the page itself asks for now.
    const timer = setTimeout(() => {
      import('./frame-effects.tsx').then(
        (loaded) => setEffects(() => loaded.default),
        (error: unknown) => console.warn('A part of the page could not be loaded:', error),
      )
    })
    return () => clearTimeout(timer)
  }, [])
  return Effects === null ? null : <Effects />
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
