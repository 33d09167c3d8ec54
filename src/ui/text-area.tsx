import type { ComponentProps } from 'react'
import { inputLook, Labelled } from './labelled.tsx'

/** A labelled text area that grows with its text. */
export function TextArea({
  label,
  problem,
  hint,
  className,
  isShort = false,
  ...rest
}: Omit<ComponentProps<'textarea'>, 'id'> & {
  label: string
  problem?: string | null | undefined
  hint?: string | undefined
  /** One line high while it holds one line. */
  isShort?: boolean
}) {
  return (
    <Labelled label={label} problem={problem} hint={hint} className={className}>
      {(input) => (
        <textarea
          className={`${inputLook} field-sizing-content max-h-[60dvh] ${isShort ? 'min-h-11' : 'min-h-24'}`}
          {...input}
          {...rest}
        />
      )}
    </Labelled>
  )
}
