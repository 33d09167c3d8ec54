import { ButtonLink } from './button.tsx'

type Way = { readonly to: string; readonly label: string }

/** The ways on from a page of a long list; nothing where it is the only one. */
export function Paging({
  label = 'Pages',
  back,
  on,
  said,
  preventScrollReset = false,
}: {
  label?: string
  back: Way | null
  on: Way | null
  said?: string
  /** The list is a part of a page, which stays where it is. */
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
      {said === undefined ? null : <span className="nums text-sm text-soft">{said}</span>}
      {on === null ? null : (
        <ButtonLink look="secondary" rel="next" to={on.to} preventScrollReset={preventScrollReset}>
          {on.label}
        </ButtonLink>
      )}
    </nav>
  )
}
