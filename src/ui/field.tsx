import type { ComponentProps, ReactNode } from 'react'
import { inputLook, Labelled } from './labelled.tsx'
import { useEarlyInput } from './use-early-input.ts'

/** A labelled text input. */
export function Field({
  label,
  problem,
  hint,
  className,
  ...rest
}: Omit<ComponentProps<'input'>, 'id' | 'ref'> & {
  label: ReactNode
  problem?: string | null | undefined
  hint?: ReactNode
}) {
  const ref = useEarlyInput(rest)
  return (
    <Labelled label={label} problem={problem} hint={hint} className={className}>
      {(input) => <input className={`${inputLook} min-h-11`} {...input} {...rest} ref={ref} />}
    </Labelled>
  )
}
