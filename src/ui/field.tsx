import { useId, type ComponentProps, type ReactNode } from 'react'

/** A labelled input; its problem and hint are tied to it and spoken with it. */
export function Field({
  label,
  problem,
  hint,
  className,
  ...rest
}: Omit<ComponentProps<'input'>, 'id'> & { label: ReactNode; problem?: string | null | undefined; hint?: ReactNode }) {
  const id = useId()
  const described = [problem ? `${id}-problem` : null, hint ? `${id}-hint` : null].filter(Boolean).join(' ')
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        aria-invalid={problem ? true : undefined}
        aria-describedby={described === '' ? undefined : described}
        className="block min-h-11 w-full rounded-md border border-line-strong bg-surface px-3 py-2 text-base text-ink placeholder:text-soft disabled:opacity-60 aria-invalid:border-bad"
        {...rest}
      />
      {problem ? (
        <p id={`${id}-problem`} className="mt-1 text-sm text-bad">
          {problem}
        </p>
      ) : null}
      {hint ? (
        <div id={`${id}-hint`} className="mt-1 text-sm text-soft">
          {hint}
        </div>
      ) : null}
    </div>
  )
}
