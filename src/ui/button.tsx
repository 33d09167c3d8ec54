import { useState, type ComponentProps, type FocusEvent, type MouseEvent, type ReactNode } from 'react'
import { Link } from 'react-router'

type Look = 'primary' | 'secondary' | 'quiet' | 'danger'

const looks: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  secondary: 'bg-surface text-ink border-line-strong hover:bg-sunken',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-sunken',
  danger: 'bg-bad text-paper border-transparent hover:opacity-90',
}

function buttonClass(look: Look, extra?: string): string {
  return `inline-flex min-h-11 items-center justify-center gap-2 rounded-md border px-4 py-2 text-sm font-semibold transition-colors duration-150 disabled:opacity-55 data-off:opacity-55 ${looks[look]} ${extra ?? ''}`
}

export function Button({
  look = 'primary',
  className,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { look?: Look; children: ReactNode }) {
  return <button type={type} className={buttonClass(look, className)} {...rest} {...useSteadyFocus(rest)} />
}

/** While it has the focus, a button that becomes disabled does nothing but stays in reach: the browser would drop the focus. */
function useSteadyFocus({ disabled = false, onClick, onFocus, onBlur, ...rest }: ComponentProps<'button'>) {
  const [isFocused, setFocused] = useState(false)
  const isOff = disabled && isFocused
  return {
    disabled: disabled && !isFocused,
    'aria-disabled': isOff || rest['aria-disabled'],
    'data-off': isOff ? '' : undefined,
    onClick(event: MouseEvent<HTMLButtonElement>) {
      // Of a button that submits, this also prevents the submission.
      if (isOff) event.preventDefault()
      else onClick?.(event)
    },
    onFocus(event: FocusEvent<HTMLButtonElement>) {
      setFocused(true)
      onFocus?.(event)
    },
    onBlur(event: FocusEvent<HTMLButtonElement>) {
      setFocused(false)
      onBlur?.(event)
    },
  }
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
      className={`inline-flex size-11 items-center justify-center rounded-md text-ink transition-colors duration-150 hover:bg-sunken disabled:opacity-40 data-off:opacity-40 ${className ?? ''}`}
      {...rest}
      {...useSteadyFocus(rest)}
    />
  )
}
