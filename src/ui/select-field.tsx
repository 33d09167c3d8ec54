import { useId, type ComponentProps } from 'react'

/** A labelled choice among a few. */
export function SelectField({ label, className, ...rest }: Omit<ComponentProps<'select'>, 'id'> & { label: string }) {
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <select
        id={id}
        className="min-h-11 w-full rounded-md border border-line-strong bg-surface px-3 text-base text-ink"
        {...rest}
      />
    </div>
  )
}
