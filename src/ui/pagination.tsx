import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { ButtonLink } from './button.tsx'
import { hasNavigated } from './page-parts.tsx'
import { headingAbove } from './section-heading-client.ts'

type PageLink = { readonly to: string; readonly label: string }

/** Links to the previous and the next page of a list; renders nothing for a single page. The focus goes to the list's heading. */
export function Paging({
  label = 'Pages',
  back,
  on,
  status,
  preventScrollReset = false,
}: {
  label?: string
  back: PageLink | null
  on: PageLink | null
  status?: string
  /** For a list inside a page, which keeps its scroll position. */
  preventScrollReset?: boolean
}) {
  const nav = useRef<HTMLElement>(null)
  const { key, state } = useLocation()
  const isPaged = (state as { paged?: string } | null)?.paged === label
  useEffect(() => {
    // The browser keeps the focus on the link, below the new page of the list.
    if (isPaged && hasNavigated(key) && nav.current !== null) headingAbove(nav.current)?.focus({ preventScroll: true })
  }, [isPaged, key])
  if (back === null && on === null) return null
  const link = { look: 'secondary', preventScrollReset, state: { keepsFocus: true, paged: label } } as const
  return (
    <nav ref={nav} aria-label={label} className="mt-6 flex flex-wrap items-center gap-3">
      {back === null ? null : (
        <ButtonLink {...link} rel="prev" to={back.to}>
          {back.label}
        </ButtonLink>
      )}
      {status === undefined ? null : <span className="nums text-sm text-soft">{status}</span>}
      {on === null ? null : (
        <ButtonLink {...link} rel="next" to={on.to}>
          {on.label}
        </ButtonLink>
      )}
    </nav>
  )
}
