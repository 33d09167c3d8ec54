import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Link, NavLink, useLocation, useMatches, useNavigate, useNavigation, useRevalidator } from 'react-router'
import { countItems } from '../features/cart/rules.ts'
import { useCart } from '../features/cart/client.ts'
import { signOut } from '../features/accounts/client.ts'
import { useAuth } from '../features/accounts/ui/auth.tsx'
import { copy as catalogueCopy } from '../features/catalogue/copy.ts'
import { sendFeedback } from '../features/feedback/client.ts'
import { FeedbackWidget } from '../features/feedback/ui/feedback-widget.tsx'
import { fill } from '../lib/failure.ts'
import { paths } from '../lib/paths.ts'
import { toastOf } from '../platform/client.ts'
import { Button, ButtonLink, IconButton } from '../ui/button.tsx'
import { CartIcon, MenuIcon, MoonIcon, SunIcon } from '../ui/icons.tsx'
import { usePart } from '../ui/part.ts'
import { toast } from '../ui/toasts.tsx'
import { copy } from './copy.ts'
import { announce, noteWhoIsHere, type HomeList } from './stored-courses.ts'
import { useLiveChanges } from './live-changes.ts'
import { forgetPrivatePages, useKeptPages } from './offline-client.ts'
import { OfflineNotice } from './offline-notice.tsx'
import { OldPageNotice } from './old-page-notice.tsx'
import { useSite } from './site.ts'
import { switchTheme } from './theme.ts'

/** The shop around every page: header, the page, footer. */
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
      <main id="main" tabIndex={-1} className="flex-1 focus:outline-none">
        {children}
      </main>
      <Footer />
      <FeedbackWidget onSend={sendFeedback} />
    </div>
  )
}

function Header() {
  const { site } = useSite()
  const { person, isAdmin } = useAuth()
  const [openedAt, setOpenedAt] = useState<{ readonly part: 'cart' | 'menu'; readonly page: string } | null>(null)
  const [CartDrawer, wantCart] = usePart(() => import('./cart-drawer.tsx'))
  const [SideMenu, wantMenu] = usePart(() => import('./side-menu.tsx'))
  const count = countItems(useCart())
  const { pathname, key } = useLocation()
  // Whoever goes on or back has left what was open: it belongs to the page on which it was opened.
  const opened = openedAt?.page === key ? openedAt.part : null
  const close = () => setOpenedAt(null)
  const { leave, question } = useSignOut()
  const open = async (which: 'cart' | 'menu') => {
    try {
      await (which === 'cart' ? wantCart : wantMenu)()
      setOpenedAt({ part: which, page: key })
    } catch (error) {
      toast(...toastOf(error))
    }
  }
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface">
      <div className="mx-auto flex h-16 max-w-page items-center gap-2 px-4 tablet:px-6">
        <Link to={paths.home} className="mr-4 flex items-center gap-2 text-lg font-semibold tracking-tight">
          <Mark />
          <span className="hidden tablet:inline">{site.brandName}</span>
          <span className="tablet:hidden">{site.brandShort}</span>
        </Link>
        <nav aria-label="Main" className="hidden flex-1 items-center gap-1 tablet:flex">
          <HeaderLink to={paths.home}>{copy['layout.home']}</HeaderLink>
          {person === null ? null : <HeaderLink to={paths.myCourses}>{copy['layout.courses']}</HeaderLink>}
          {isAdmin ? <HeaderLink to={paths.admin}>{copy['layout.admin']}</HeaderLink> : null}
        </nav>
        <div className="ml-auto flex items-center gap-1">
          <ThemeSwitch />
          <span className="relative">
            <IconButton
              label={count === 0 ? 'Open cart' : `Open cart, ${count} ${count === 1 ? 'item' : 'items'}`}
              aria-haspopup="dialog"
              onClick={() => void open('cart')}
            >
              <CartIcon />
            </IconButton>
            {count === 0 ? null : (
              <span
                aria-hidden="true"
                className="nums pointer-events-none absolute top-0 right-0 min-w-5 rounded-full bg-accent px-1 text-center text-xs leading-5 font-semibold text-on-accent"
              >
                {count}
              </span>
            )}
          </span>
          <div className="hidden items-center gap-2 tablet:flex">
            {person === null ? (
              <ButtonLink to={paths.login} look="secondary" state={{ from: pathname }}>
                {copy['layout.signin']}
              </ButtonLink>
            ) : (
              <>
                <span className="ml-2 hidden max-w-56 truncate text-sm text-soft desktop:inline">{person.email}</span>
                <Button look="secondary" onClick={() => void leave()}>
                  {copy['layout.signout']}
                </Button>
              </>
            )}
          </div>
          <IconButton
            label="Open menu"
            aria-haspopup="dialog"
            className="tablet:hidden"
            onClick={() => void open('menu')}
          >
            <MenuIcon />
          </IconButton>
        </div>
      </div>
      <Loading />
      <OfflineNotice />
      <OldPageNotice />
      {question}
      {CartDrawer === null ? null : <CartDrawer isOpen={opened === 'cart'} onClose={close} />}
      {SideMenu === null ? null : (
        <SideMenu isOpen={opened === 'menu'} onClose={close} onSignOut={() => void leave()} />
      )}
    </header>
  )
}

/** While the next page or its data is not there yet. Most are there before anybody could read this. */
function Loading() {
  const { state, location } = useNavigation()
  const { isReady } = useAuth()
  const text =
    state !== 'idle' && location.pathname === paths.home ? catalogueCopy['home.loading'] : copy['app.loading']
  return (
    <div role="status" data-print="off">
      {state === 'idle' && isReady ? null : (
        <div className="animate-late">
          <div className="absolute inset-x-0 bottom-0 h-0.5 animate-pulse bg-accent" />
          <p className="absolute top-full left-1/2 mt-2 -translate-x-1/2 rounded-full border border-line bg-surface px-3 py-1 text-sm whitespace-nowrap text-soft shadow-over">
            {text}
          </p>
        </div>
      )}
    </div>
  )
}

function HeaderLink({ to, children }: { to: string; children: string }) {
  return (
    <NavLink
      to={to}
      end={to === paths.home}
      className={({ isActive }) =>
        `rounded-md px-3 py-2 text-sm font-medium transition-colors duration-150 hover:bg-sunken ${isActive ? 'text-ink underline decoration-accent decoration-2 underline-offset-8' : 'text-soft'}`
      }
    >
      {children}
    </NavLink>
  )
}

function ThemeSwitch() {
  return (
    <IconButton label="Switch between light and dark" onClick={() => switchTheme()}>
      <span className="dark-only">
        <SunIcon />
      </span>
      <span className="light-only">
        <MoonIcon />
      </span>
    </IconButton>
  )
}

function Mark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" width="28" height="28" className="text-accent">
      <path
        d="M4 21a5.5 5.5 0 015-5.5A7.5 7.5 0 0123.6 14 5 5 0 0124 24H9a5 5 0 01-5-3z"
        fill="currentColor"
        opacity="0.18"
      />
      <path
        d="M10 20.5l4 4L27 9.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
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

/** Ends the session. An admin's changes are sent first; where they can't be, the admin decides. */
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

async function sendOfflineResults(personId: string): Promise<void> {
  try {
    const { sendResults } = await import('../features/attempts/saving/packs/client.ts')
    await sendResults(personId)
  } catch (error) {
    console.warn('What was practised offline could not be sent:', error)
  }
}

function useSignOut(): { leave: () => Promise<void>; question: ReactNode } {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const { person } = useSite()
  const [unsent, setUnsent] = useState(0)
  const [ConfirmDialog, wantDialog] = usePart(() => import('../features/catalogue/sync/ui/confirm-dialog.tsx'))

  async function end() {
    setUnsent(0)
    try {
      // What was practised offline is sent first: it goes with the session.
      if (person !== null) await sendOfflineResults(person.id)
      await signOut()
    } catch (error) {
      return toast(...toastOf(error))
    }
    // What was kept on the device goes with the session; the code for it is fetched only now.
    const [device, packs, changes, lists] = await Promise.all([
      import('../features/attempts/saving/device/client.ts'),
      import('../features/attempts/saving/packs/client.ts'),
      import('../features/catalogue/sync/browser/client.ts'),
      import('../features/catalogue/sync/local/client.ts'),
    ])
    await device.forgetEverything()
    await changes.forgetChanges()
    lists.clearStored()
    await forgetPrivatePages()
    await packs.forgetEverything()
    await navigate(paths.home)
    await revalidate()
  }

  async function leave() {
    if (person?.role !== 'admin') return end()
    const { sendBeforeLeaving } = await import('../features/catalogue/sync/browser/client.ts')
    const left = await sendBeforeLeaving(person.id)
    if (left === 0) return end()
    await wantDialog()
    setUnsent(left)
  }

  const question =
    ConfirmDialog === null || unsent === 0 ? null : (
      <ConfirmDialog
        heading={copy['signout.unsent.heading']}
        text={fill(copy['signout.unsent.text'], { n: unsent })}
        button={copy['signout.unsent.button']}
        onClose={() => setUnsent(0)}
        onConfirm={() => void end()}
      />
    )
  return { leave, question }
}
