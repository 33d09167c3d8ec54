import { startTransition, useState } from 'react'
import { Link, useLocation, useNavigation } from 'react-router'
import { countItems } from '../../features/cart/cart.ts'
import { useCart } from '../../features/cart/cart-client.ts'
import { useAuth } from '../../features/accounts/ui/auth.tsx'
import { copy as catalogueCopy } from '../../features/catalogue/catalogue.copy.ts'
import { paths } from '../../lib/paths.ts'
import { toastOf } from '../../platform/api-client.ts'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { CartIcon, MenuIcon, MoonIcon, SunIcon } from '../../ui/icons.tsx'
import { usePart } from '../../ui/use-part.ts'
import { toast } from '../../ui/toasts.tsx'
import { copy } from '../app.copy.ts'
import { OfflineNotice } from '../offline/offline-notice.tsx'
import { NavLink } from './nav-link.tsx'
import { OldPageNotice } from './old-page-notice.tsx'
import { SignOutForm, useSignOut } from './sign-out.tsx'
import { useSite } from './use-site.ts'
import { switchTheme } from './theme-client.ts'
import { counted } from '../../lib/text.ts'

type Part = 'cart' | 'menu'

/** The header with the cart drawer and the menu, which load when they are first opened. */
export function Header() {
  const { isAdmin, user } = useAuth()
  const [openedAt, setOpenedAt] = useState<{ readonly part: Part; readonly page: string } | null>(null)
  const [CartDrawer, loadCart] = usePart(() => import('./cart-drawer.tsx'))
  const [SideMenu, loadMenu] = usePart(() => import('./side-menu.tsx'))
  const { key } = useLocation()
  // A part closes on navigation: it belongs to the page on which it was opened.
  const opened = openedAt?.page === key ? openedAt.part : null
  const close = () => setOpenedAt(null)
  const { leave, question } = useSignOut()
  const handleSignOut = () => void leave()
  const open = async (part: Part) => {
    try {
      await (part === 'cart' ? loadCart : loadMenu)()
      // The press is painted first: a drawer takes a slow phone longer than a tenth of a second.
      startTransition(() => setOpenedAt({ part, page: key }))
    } catch (error) {
      toast(...toastOf(error))
    }
  }
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface">
      <div className="mx-auto flex h-16 max-w-page items-center gap-2 px-4 tablet:px-6 scriptless:max-tablet:h-auto scriptless:max-tablet:flex-wrap scriptless:max-tablet:py-2">
        <BrandLink />
        {/* Without scripts no menu opens, so the links are there on small screens, too. */}
        <nav
          aria-label="Main"
          className="hidden flex-1 flex-wrap items-center gap-1 tablet:flex scriptless:flex scriptless:max-tablet:order-last scriptless:max-tablet:basis-full"
        >
          <HeaderLink to={paths.home}>{copy['layout.home']}</HeaderLink>
          {user === null ? null : <HeaderLink to={paths.myCourses}>{copy['layout.courses']}</HeaderLink>}
          {user === null ? null : <HeaderLink to={paths.account}>{copy['layout.account']}</HeaderLink>}
          {isAdmin ? <HeaderLink to={paths.admin}>{copy['layout.admin']}</HeaderLink> : null}
        </nav>
        <div className="ml-auto flex items-center gap-1">
          <ThemeSwitch />
          <CartButton onClick={() => void open('cart')} />
          <Account onSignOut={handleSignOut} />
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
      {SideMenu === null ? null : <SideMenu isOpen={opened === 'menu'} onClose={close} onSignOut={handleSignOut} />}
    </header>
  )
}

function BrandLink() {
  const { site } = useSite()
  return (
    <Link to={paths.home} className="mr-4 flex items-center gap-2 text-lg font-semibold tracking-tight">
      <Mark />
      <span className="hidden tablet:inline">{site.brandName}</span>
      <span className="tablet:hidden">{site.brandShort}</span>
    </Link>
  )
}

function CartButton({ onClick }: { onClick: () => void }) {
  const count = countItems(useCart())
  return (
    <span className="relative">
      <IconButton
        label={count === 0 ? 'Open cart' : `Open cart, ${counted(count, 'item')}`}
        aria-haspopup="dialog"
        onClick={onClick}
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
  )
}

function Account({ onSignOut }: { onSignOut: () => void }) {
  const { user } = useAuth()
  const { pathname } = useLocation()
  return (
    <div className="hidden items-center gap-2 tablet:flex scriptless:flex">
      {user === null ? (
        <ButtonLink to={paths.login} look="secondary" state={{ from: pathname }}>
          {copy['layout.signin']}
        </ButtonLink>
      ) : (
        <>
          <span className="mx-2 hidden max-w-56 truncate text-sm text-soft desktop:inline">{user.email}</span>
          <SignOutForm onSignOut={onSignOut} />
        </>
      )}
    </div>
  )
}

/** Announces that a page or its data is loading, with a delay that hides it on fast loads. */
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
      className="rounded-md px-1.5 py-2 text-sm font-medium text-soft transition-colors duration-150 hover:bg-sunken desktop:px-3 aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:decoration-accent aria-[current=page]:decoration-2 aria-[current=page]:underline-offset-8"
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
