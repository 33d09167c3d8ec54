import type { ReactNode } from 'react'
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router'
import interFont from '../ui/fonts/inter-latin.woff2?url'
import tokens from '../ui/tokens.css?url'
import { Toasts } from '../ui/toasts.tsx'
import { copy } from './copy.ts'
import { FailurePage } from './failure-page.tsx'
import { SiteFrame } from './site-frame.tsx'
import { themeScript } from './theme.ts'

export { rootLoader as loader } from './pages.server.ts'

export const links = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', href: interFont, crossOrigin: 'anonymous' as const },
  { rel: 'stylesheet', href: tokens },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
]

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <script dangerouslySetInnerHTML={{ __html: themeScript }} />
        <Meta />
        <Links />
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
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function Root() {
  return <Outlet />
}

/** The last resort: whatever a page could not handle. */
export function ErrorBoundary({ error }: { error: unknown }) {
  const isPageFailure = isRouteErrorResponse(error)
  return (
    <SiteFrame>
      <FailurePage error={error} isPageFailure={isPageFailure} />
    </SiteFrame>
  )
}

/** What is seen while a lazily loaded page is not there yet. */
export function HydrateFallback() {
  return (
    <p role="status" className="grid min-h-dvh place-items-center text-soft">
      {copy['app.loading']}
    </p>
  )
}
