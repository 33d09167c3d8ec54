import type { ComponentProps, ReactNode } from 'react'
import { useEarlyInput } from './use-early-input.ts'

/** A radio button or checkbox with its label. */
export function Choice({
  type,
  children,
  className,
  ...rest
}: Omit<ComponentProps<'input'>, 'type' | 'ref'> & { type: 'radio' | 'checkbox'; children: ReactNode }) {
  const ref = useEarlyInput(rest)
  return (
    <label className={`flex min-h-11 cursor-pointer items-center gap-3 ${className ?? ''}`}>
      <input type={type} className="size-5 shrink-0" {...rest} ref={ref} />
      {children}
    </label>
  )
}
