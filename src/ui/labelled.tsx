import { useId, type ReactNode } from 'react'

export const inputLook =
  'block w-full rounded-md border border-line-strong bg-surface px-3 py-2 text-base text-ink placeholder:text-soft disabled:opacity-60 aria-invalid:border-bad'

/** A label above an input; under it the problem and the hint, which describe the input for screen readers. */
export function Labelled({
  label,
  problem,
  hint,
  className,
  children,
}: {
  label: ReactNode
  problem?: string | null | undefined
  hint?: ReactNode
  className?: string | undefined
  children: (input: {
    id: string
    'aria-invalid': true | undefined
    'aria-describedby': string | undefined
  }) => ReactNode
}) {
  const id = useId()
  const described = [problem ? `${id}-problem` : null, hint ? `${id}-hint` : null].filter(Boolean).join(' ')
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': problem ? true : undefined,
        'aria-describedby': described === '' ? undefined : described,
      })}
      {problem ? (
        <p id={`${id}-problem`} className="mt-1 text-sm text-bad">
          {problem}
        </p>
      ) : null}
      {hint ? (
        <div id={`${id}-hint`} className="nums mt-1 text-sm text-soft">
          {hint}
        </div>
      ) : null}
    </div>
  )
}
