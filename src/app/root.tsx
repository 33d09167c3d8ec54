import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { Meta, Outlet, Scripts, ScrollRestoration, useMatches, type ShouldRevalidateFunctionArgs } from 'react-router'
import tokens from '../ui/tokens.css?url'
import { BUILD_META } from '../platform/build-id.ts'
import { followFocus } from '../ui/focus-trail-client.ts'
import { Toasts } from '../ui/toasts.tsx'
import { copy } from './app.copy.ts'
import { Failure } from './pages/failure.tsx'
import { Session } from './layout/session.tsx'
import { reloadsUnlessSearched, useSite } from './layout/use-site.ts'
import type { FailureHandle } from './layout/failure-handle.ts'
import { Main, SiteFrame } from './layout/site-frame.tsx'
import { useShownPage } from './layout/steady-reload-client.ts'
import { afterPageScript, beforeModulesScript, beforePaintScript } from './layout/inline-scripts.ts'
import { DATA, LATE } from './layout/late-scripts.ts'
import { markStarted } from './layout/start-up-client.ts'

export { rootLoader as loader } from './page-loaders.server.ts'

/** Offline, the root data stays as it is, so that stored pages can still be shown. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return navigator.onLine && reloadsUnlessSearched(args)
}

/** The rules that came with the page, for when React draws the document anew around a failure. */
const pageStyles = import.meta.env.SSR ? '' : (document.querySelector('style[data-sheet]')?.textContent ?? '')

export function Layout({ children }: { children: ReactNode }) {
  useEffect(() => {
    // Outside: the start-up script, which handles errors until React has hydrated the page.
    markStarted()
    followFocus()
    // Later than what the page itself asks for now.
    setTimeout(() => {
      import('./layout/after-start-client.ts').catch((error: unknown) =>
        console.warn('A part of the page could not be loaded:', error),
      )
    })
  }, [])
  // The build that rendered this page; later root data may name a newer one.
  const site = useSite()
  const [build] = useState(site.build)
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name={BUILD_META} content={build} />
        {/* Inline scripts are rendered on the server only: in the browser they have already run. */}
        <script
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? beforePaintScript : '' }}
        />
        {/* The server fills in the rules of the page (entry.server.tsx). Development loads the sheet itself, for hot reload. */}
        {import.meta.env.DEV ? (
          <link rel="stylesheet" href={tokens} />
        ) : (
          <style data-sheet={tokens} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: pageStyles }} />
        )}
        <Meta />
        <AppLinks />
      </head>
      <body>
        <a
          href="#main"
          className="sr-only z-50 rounded-md bg-accent px-4 py-2 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
        >
          {copy['layout.skip']}
        </a>
        {children}
        <Toasts />
        <PageScripts />
        {/* The whole sheet, where it blocks nothing: everything before it is painted while it loads. */}
        {import.meta.env.DEV ? null : <link rel="stylesheet" href={tokens} />}
      </body>
    </html>
  )
}

/** Inline scripts, the page's data and the router's scripts. The server lets all but the last wait (entry.server.tsx). */
function PageScripts() {
  return (
    <>
      <script
        {...LATE}
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? beforeModulesScript : '' }}
      />
      <ScrollRestoration {...LATE} />
      <script {...DATA} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
      {import.meta.env.SSR ? <Scripts /> : <ServedScripts />}
      <script
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? afterPageScript : '' }}
      />
    </>
  )
}

/** Written out: no page has links of its own, so the browser's files hold no code that collects them. */
function AppLinks() {
  return (
    <>
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/icons/icon-180.png" />
      <link rel="manifest" href="/manifest.webmanifest" />
    </>
  )
}

/** The router's scripts while the page hydrates. They have run by then, so the browser's files hold no code to write them. */
function ServedScripts() {
  const [isHydrating] = useState(() => !('started' in document.documentElement.dataset))
  return isHydrating ? (
    <>
      <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: ' ' }} />
      <script type="module" async suppressHydrationWarning dangerouslySetInnerHTML={{ __html: ' ' }} />
    </>
  ) : null
}

export default function Root() {
  useShownPage()
  return (
    <Session>
      <Outlet />
    </Session>
  )
}

/** Shows every error that no page handled, in the page's own frame where it has one. */
export function ErrorBoundary({ error }: { error: unknown }) {
  const showFailure = useOwnFailure()
  return (
    <Session>
      <SiteFrame>
        {showFailure === null ? (
          <Main>
            <Failure error={error} />
          </Main>
        ) : (
          showFailure(error)
        )}
      </SiteFrame>
    </Session>
  )
}

/** The failure of the nearest route that has its own. Null while the page hydrates: the browser has no modules below a failure. */
function useOwnFailure() {
  const isHydrated = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
  const handles = useMatches().map(({ handle }) => handle as Partial<FailureHandle> | undefined)
  return (isHydrated && handles.findLast((handle) => handle?.showFailure !== undefined)?.showFailure) || null
}

const neverChanges = () => () => {}

/** Shown while a lazily loaded page loads. */
export function HydrateFallback() {
  return (
    <p role="status" className="grid min-h-dvh place-items-center text-soft">
      {copy['app.loading']}
    </p>
  )
}
