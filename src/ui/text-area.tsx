import { useId, type ComponentProps } from 'react'

/** A labelled text of several lines, which grows with what it holds; its problem and hint are tied to it and spoken with it. */
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
  /** One line high while it holds one. */
  isShort?: boolean
}) {
  const id = useId()
  const described = [problem ? `${id}-problem` : null, hint ? `${id}-hint` : null].filter(Boolean).join(' ')
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        aria-invalid={problem ? true : undefined}
        aria-describedby={described === '' ? undefined : described}
        className={`${isShort ? 'min-h-11' : 'min-h-24'} block field-sizing-content max-h-[60dvh] w-full rounded-md border border-line-strong bg-surface px-3 py-2 text-base text-ink aria-invalid:border-bad`}
        {...rest}
      />
      {problem ? (
        <p id={`${id}-problem`} className="mt-1 text-sm text-bad">
          {problem}
        </p>
      ) : null}
      {hint ? (
        <p id={`${id}-hint`} className="nums mt-1 text-sm text-soft">
          {hint}
        </p>
      ) : null}
    </div>
  )
}
