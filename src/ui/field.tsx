import type { ComponentProps, ReactNode } from 'react'
import { inputLook, Labelled } from './labelled.tsx'

/** A labelled text input. */
export function Field({
  label,
  problem,
  hint,
  className,
  ...rest
}: Omit<ComponentProps<'input'>, 'id'> & { label: ReactNode; problem?: string | null | undefined; hint?: ReactNode }) {
  return (
    <Labelled label={label} problem={problem} hint={hint} className={className}>
      {(input) => <input className={`${inputLook} min-h-11`} {...input} {...rest} />}
    </Labelled>
  )
}
