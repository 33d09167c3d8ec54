import type { ComponentProps } from 'react'
import { ChevronIcon } from './icons.tsx'
import { inputLook, Labelled } from './labelled.tsx'
import { useEarlyInput } from './use-early-input.ts'

/** A select with our arrow instead of the browser's. Without a label above it, it needs an `aria-label`. */
export function Select({ className = '', ...rest }: ComponentProps<'select'>) {
  return (
    <span className={`relative block ${className}`}>
      <select className={`${inputLook} min-h-11 appearance-none truncate pr-10`} {...rest} />
      <span className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-soft">
        <ChevronIcon />
      </span>
    </span>
  )
}

/** A labelled select. */
export function SelectField({
  label,
  problem,
  className,
  ...rest
}: Omit<ComponentProps<'select'>, 'id' | 'ref'> & { label: string; problem?: string | null | undefined }) {
  const ref = useEarlyInput(rest)
  return (
    <Labelled label={label} problem={problem} className={className}>
      {(input) => <Select {...input} {...rest} ref={ref} />}
    </Labelled>
  )
}
