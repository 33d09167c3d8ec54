import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'

type Look = 'primary' | 'secondary' | 'quiet' | 'danger'

const looks: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  secondary: 'bg-surface text-ink border-line-strong hover:bg-sunken',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-sunken',
  danger: 'bg-bad text-paper border-transparent hover:opacity-90',
}

function buttonClass(look: Look, extra?: string): string {
  return `inline-flex min-h-11 items-center justify-center gap-2 rounded-md border px-4 py-2 text-sm font-semibold transition-colors duration-150 disabled:opacity-55 ${looks[look]} ${extra ?? ''}`
}

export function Button({
  look = 'primary',
  className,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { look?: Look; children: ReactNode }) {
  return <button type={type} className={buttonClass(look, className)} {...rest} />
}

export function ButtonLink({ look = 'primary', className, ...rest }: ComponentProps<typeof Link> & { look?: Look }) {
  return <Link className={buttonClass(look, className)} {...rest} />
}

/** A button with an icon only; the label is its accessible name and its tooltip. */
export function IconButton({
  label,
  className,
  ...rest
}: Omit<ComponentProps<'button'>, 'aria-label'> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-flex size-11 items-center justify-center rounded-md text-ink transition-colors duration-150 hover:bg-sunken disabled:opacity-40 ${className ?? ''}`}
      {...rest}
    />
  )
}
