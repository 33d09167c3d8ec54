import { Fragment, lazy, Suspense, useLayoutEffect, useRef, type ReactNode } from 'react'
import { Link, useLocation, type To } from 'react-router'
import type { DrawingName } from './drawings.tsx'

/** Few lists are empty, so its code is loaded when one is. */
const Drawing = lazy(() => import('./drawings.tsx').then(({ Drawing: loaded }) => ({ default: loaded })))

/** The container of a page: at most 1280 px wide, with space at the sides. */
export function Page({ children, width = 'page' }: { children: ReactNode; width?: 'page' | 'form' | 'exam' | 'read' }) {
  const widths = { page: 'max-w-page', form: 'max-w-form', exam: 'max-w-exam', read: 'max-w-read' }
  return <div className={`mx-auto w-full px-4 py-8 tablet:px-6 tablet:py-12 ${widths[width]}`}>{children}</div>
}

/** The history key of the page that the browser loaded; empty after the first navigation. */
let landedAt = typeof window === 'undefined' ? '' : ((history.state as { key?: string } | null)?.key ?? 'default')

/** Whether the user has navigated inside the site since the browser loaded a page. */
export const hasNavigated = (key: string) => key !== landedAt

/**
 * The h1 of a page. After a navigation inside the site it takes the focus, so that screen readers announce the page. Links that only
 * change what the page shows prevent that with `state={{ keepsFocus: true }}`.
 */
export function Heading({
  children,
  className,
  of = 'page',
}: {
  children: ReactNode
  className?: string
  /** A record, such as one order, has a longer title than a page. */
  of?: 'page' | 'record'
}) {
  const ref = useRef<HTMLHeadingElement>(null)
  const { key, hash, state } = useLocation()
  const keepsFocus = hash !== '' || (state as { keepsFocus?: boolean } | null)?.keepsFocus === true
  useLayoutEffect(() => {
    // The browser moves the focus on a page load only; after a client-side navigation we must. Before the page is painted: the focus
    // would be on the body until a later effect.
    if (key !== landedAt) landedAt = ''
    if (landedAt === '' && !keepsFocus) ref.current?.focus({ preventScroll: true })
  }, [key, keepsFocus])
  return (
    <h1 ref={ref} tabIndex={-1} className={className ?? headings[of]}>
      {children}
    </h1>
  )
}

const headings = {
  page: 'text-2xl font-semibold tablet:text-3xl',
  record: 'mt-2 text-xl font-semibold wrap-anywhere tablet:text-2xl',
}

/** A way that is not the main one: a link with the height of a button. */
export const quietLink =
  'inline-flex min-h-11 items-center text-sm font-semibold text-accent underline underline-offset-2'

/** A link to the list, above the heading of a record. */
export function BackLink({ to, children }: { to: To; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-8 items-center text-sm font-semibold text-accent underline underline-offset-2 wrap-anywhere"
    >
      {children}
    </Link>
  )
}

/** The pages above this one, the nearest last, and optionally the short name of this page. */
export function Breadcrumb({
  ways,
  here,
}: {
  ways: readonly { readonly to: string; readonly label: string }[]
  here?: string
}) {
  return (
    <nav aria-label="Breadcrumb" className="text-sm text-soft wrap-anywhere">
      {ways.map(({ to, label }, place) => (
        <Fragment key={to}>
          {place === 0 ? null : <span aria-hidden="true"> / </span>}
          <Link to={to} className="hover:underline">
            {label}
          </Link>
        </Fragment>
      ))}
      {here === undefined ? null : (
        <>
          <span aria-hidden="true"> / </span>
          {here}
        </>
      )}
    </nav>
  )
}

/** A part of a page with its own heading, and links beside the heading. */
export function Section({
  id,
  title,
  aside,
  children,
}: {
  id: string
  title: string
  aside?: ReactNode
  children: ReactNode
}) {
  return (
    <section aria-labelledby={id} className="mt-10 min-w-0">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id={id} className="scroll-mt-20 text-lg font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** Replaces an empty list: what that means and what to do now. With `isPage` the title is the h1. */
export function EmptyState({
  title,
  hint,
  action,
  drawing = 'list',
  isPage = false,
}: {
  title: string
  hint?: string
  action?: ReactNode
  drawing?: DrawingName
  isPage?: boolean
}) {
  return (
    <div className="rounded-lg border border-dashed border-line-strong px-6 py-10 text-center">
      <Suspense fallback={<div className="mx-auto mb-4 aspect-5/3 w-44" />}>
        <Drawing name={drawing} />
      </Suspense>
      {isPage ? (
        <Heading className="text-lg font-semibold">{title}</Heading>
      ) : (
        <p className="text-lg font-semibold">{title}</p>
      )}
      {hint === undefined ? null : <p className="mt-1 text-soft">{hint}</p>}
      {action === undefined ? null : <div className="mt-6 flex justify-center">{action}</div>}
    </div>
  )
}

/** A placeholder while content loads. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden="true" className={`animate-pulse rounded-md bg-sunken ${className}`} />
}
