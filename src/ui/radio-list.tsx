import { useId } from 'react'

/** A group of radio buttons; its problem describes the group for screen readers, and a refused form finds the first button by it. */
export function RadioList<Value extends string>({
  legend,
  choices,
  chosen,
  problem,
  onChoose,
}: {
  legend: string
  choices: readonly { readonly value: Value; readonly label: string; readonly about?: string }[]
  chosen: Value | null
  problem?: string | null | undefined
  onChoose: (value: Value) => void
}) {
  const id = useId()
  return (
    <fieldset
      role="radiogroup"
      aria-invalid={problem ? true : undefined}
      aria-describedby={problem ? `${id}-problem` : undefined}
    >
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {choices.map(({ value, label, about }) => (
        <label key={value} className="flex min-h-11 cursor-pointer items-start gap-3 py-2">
          <input
            type="radio"
            name={id}
            value={value}
            className="mt-[3px] size-5 shrink-0"
            checked={chosen === value}
            onChange={() => onChoose(value)}
          />
          <span>
            {label}
            {about === undefined ? null : <span className="block text-sm text-soft">{about}</span>}
          </span>
        </label>
      ))}
      {problem ? (
        <p id={`${id}-problem`} className="mt-1 text-sm text-bad">
          {problem}
        </p>
      ) : null}
    </fieldset>
  )
}
