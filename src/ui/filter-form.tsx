import type { ComponentProps, ReactNode } from 'react'
import { Form, type To } from 'react-router'
import { Button, ButtonLink } from './button.tsx'

/** The widths of the fields: one field of words may grow, the others share what is left; on a phone two stand side by side. */
export const filterField = {
  wide: 'min-w-0 w-full tablet:w-auto tablet:flex-1 tablet:basis-64',
  narrow: 'min-w-0 grow basis-40 tablet:max-w-60 desktop:grow-0 desktop:basis-48',
} as const

export const filterHint = 'filter-hint'

/**
 * What the field of words finds. It follows the field, which names it: `aria-describedby={filterHint}`. On a phone it stands under its
 * field, elsewhere under the whole row.
 */
export function FilterHint({ children }: { children: ReactNode }) {
  return (
    <p id={filterHint} className="w-full text-sm text-soft max-tablet:-mt-1.5 tablet:order-last">
      {children}
    </p>
  )
}

/** The filters of a list, which look and behave alike everywhere: fields, then a quiet button, then the way back to the whole list. */
export function FilterForm({
  action,
  reset,
  children,
  ...rest
}: ComponentProps<typeof Form> & {
  /** What the button says. */
  action: string
  /** The way back to the whole list, while something is filtered. */
  reset?: { readonly to: To; readonly label: string } | null
  children: ReactNode
}) {
  return (
    <Form role="search" {...rest} className="mt-6 flex flex-wrap items-start gap-x-3 gap-y-3">
      {children}
      <div className="flex grow basis-40 flex-wrap gap-2 self-end tablet:grow-0 tablet:basis-auto">
        <Button type="submit" look="secondary" className="grow">
          {action}
        </Button>
        {reset === undefined || reset === null ? null : (
          <ButtonLink to={reset.to} look="quiet" preventScrollReset className="grow">
            {reset.label}
          </ButtonLink>
        )}
      </div>
    </Form>
  )
}
