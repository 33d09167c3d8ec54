import type { ReactNode } from 'react'
import { Heading, Page } from '../../../ui/page-parts.tsx'

/** The layout of every account page: one column, one heading, one task. */
export function AccountForm({
  heading,
  intro,
  children,
  footer,
}: {
  heading: string
  intro?: ReactNode
  children: ReactNode
  footer?: ReactNode
}) {
  return (
    <Page width="form">
      <Heading className="text-2xl font-semibold">{heading}</Heading>
      {intro === undefined ? null : <p className="mt-2 text-soft">{intro}</p>}
      <div className="mt-6">{children}</div>
      {footer === undefined ? null : <p className="mt-6 text-sm text-soft">{footer}</p>}
    </Page>
  )
}

export const formLink = 'font-semibold text-accent underline underline-offset-2 hover:text-accent-strong'
