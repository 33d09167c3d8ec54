import type { ComponentProps, ReactNode } from 'react'

/** A radio button or checkbox with its label. */
export function Choice({
  type,
  children,
  className,
  ...rest
}: Omit<ComponentProps<'input'>, 'type'> & { type: 'radio' | 'checkbox'; children: ReactNode }) {
  return (
    <label className={`flex min-h-11 cursor-pointer items-center gap-3 ${className ?? ''}`}>
      <input type={type} className="size-5 shrink-0" {...rest} />
      {children}
    </label>
  )
}
