import type { ComponentProps, RefObject } from 'react'
import { inputLook, Labelled } from './labelled.tsx'
import { useEarlyInput } from './use-early-input.ts'

/** A labelled text area that grows with its text. */
export function TextArea({
  label,
  problem,
  hint,
  className,
  isShort = false,
  ...rest
}: Omit<ComponentProps<'textarea'>, 'id' | 'ref'> & {
  ref?: RefObject<HTMLTextAreaElement | null>
  label: string
  problem?: string | null | undefined
  hint?: string | undefined
  /** One line high while it holds one line. */
  isShort?: boolean
}) {
  const ref = useEarlyInput(rest)
  return (
    <Labelled label={label} problem={problem} hint={hint} className={className}>
      {(input) => (
        <textarea
          className={`${inputLook} field-sizing-content max-h-[60dvh] ${isShort ? 'min-h-11' : 'min-h-24'}`}
          {...input}
          {...rest}
          ref={ref}
        />
      )}
    </Labelled>
  )
}
