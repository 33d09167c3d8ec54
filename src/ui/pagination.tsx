import { ButtonLink } from './button.tsx'

type PageLink = { readonly to: string; readonly label: string }

/** Links to the previous and the next page of a list; renders nothing for a single page. */
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
  if (back === null && on === null) return null
  return (
    <nav aria-label={label} className="mt-6 flex flex-wrap items-center gap-3">
      {back === null ? null : (
        <ButtonLink look="secondary" rel="prev" to={back.to} preventScrollReset={preventScrollReset}>
          {back.label}
        </ButtonLink>
      )}
      {status === undefined ? null : <span className="nums text-sm text-soft">{status}</span>}
      {on === null ? null : (
        <ButtonLink look="secondary" rel="next" to={on.to} preventScrollReset={preventScrollReset}>
          {on.label}
        </ButtonLink>
      )}
    </nav>
  )
}
