import type { ComponentProps } from 'react'
import { inputLook, Labelled } from './labelled.tsx'

/** A labelled select. */
export function SelectField({
  label,
  problem,
  className,
  ...rest
}: Omit<ComponentProps<'select'>, 'id'> & { label: string; problem?: string | null | undefined }) {
  return (
    <Labelled label={label} problem={problem} className={className}>
      {(input) => <select className={`${inputLook} min-h-11`} {...input} {...rest} />}
    </Labelled>
  )
}
