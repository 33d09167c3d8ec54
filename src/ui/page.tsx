import { useEffect, useRef, type ReactNode } from 'react'
import { useLocation } from 'react-router'

/** The page's frame: at most 1280 px, with air at the sides. */
export function Page({ children, width = 'page' }: { children: ReactNode; width?: 'page' | 'form' | 'exam' | 'read' }) {
  const widths = { page: 'max-w-page', form: 'max-w-form', exam: 'max-w-exam', read: 'max-w-read' }
  return <div className={`mx-auto w-full px-4 py-8 tablet:px-6 tablet:py-12 ${widths[width]}`}>{children}</div>
}

/** The page that the browser loaded, by its place in the history; empty once one has gone on from there. */
let landedAt = typeof window === 'undefined' ? '' : ((history.state as { key?: string } | null)?.key ?? 'default')

/**
 * The page's one first heading. After a navigation inside the site it takes the focus, so that it is read out; not after
 * one that only changes what the page shows, and says so: `state={{ keepsFocus: true }}`.
 */
export function Heading({ children, className }: { children: ReactNode; className?: string }) {
  const ref = useRef<HTMLHeadingElement>(null)
  const { key, hash, state } = useLocation()
  const keepsFocus = hash !== '' || (state as { keepsFocus?: boolean } | null)?.keepsFocus === true
  useEffect(() => {
    // Outside: the browser moves the focus on a real page load; inside the application nobody does.
    if (key !== landedAt) landedAt = ''
    if (landedAt === '' && !keepsFocus) ref.current?.focus({ preventScroll: true })
  }, [key, keepsFocus])
  return (
    <h1 ref={ref} tabIndex={-1} className={className ?? 'text-2xl font-semibold tablet:text-3xl'}>
      {children}
    </h1>
  )
}

/** Nothing here yet: what it means, and what to do now. Where it is the whole page, its title is the page's heading. */
export function EmptyState({
  title,
  hint,
  action,
  isPage = false,
}: {
  title: string
  hint?: string
  action?: ReactNode
  isPage?: boolean
}) {
  return (
    <div className="rounded-lg border border-dashed border-line-strong px-6 py-12 text-center">
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

/** The shape of what comes, while it is not there. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden="true" className={`animate-pulse rounded-md bg-sunken ${className}`} />
}
