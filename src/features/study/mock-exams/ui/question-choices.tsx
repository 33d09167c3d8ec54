import { pluralOf } from '../../../../lib/text.ts'
import { Field } from '../../../../ui/field.tsx'

/** Some of several kinds of questions, each with how many there are; part of the forms for drills and for custom exams. */
export function ChoiceGroup({
  title,
  hint,
  name,
  options,
  chosen,
  onToggle,
  countWith,
}: {
  title: string
  hint: string
  /** Where the browser posts the form: each checkbox gets a name of its own. */
  name?: string
  options: readonly { readonly value: string; readonly label: string }[]
  chosen: readonly string[]
  onToggle: (value: string) => void
  countWith: (value: string) => number
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-semibold">{title}</legend>
      <p className="text-sm text-soft">{hint}</p>
      <div className="mt-2">
        {options.map(({ value, label }, place) => {
          const count = countWith(value)
          return (
            <label key={value} className="flex min-h-11 cursor-pointer items-start gap-3 py-2">
              <input
                type="checkbox"
                name={name === undefined ? undefined : `${name}.${place}`}
                value={value}
                checked={chosen.includes(value)}
                onChange={() => onToggle(value)}
                className="mt-1 size-[18px] shrink-0"
              />
              <span className="min-w-0 flex-1">{label}</span>
              <span className="nums text-soft">
                {count}
                <span className="sr-only">{pluralOf(count, ' question', ' questions')}</span>
              </span>
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}

/** A whole number from 1 on, as typed. */
export function WholeNumberField({
  label,
  name,
  max,
  value,
  onText,
  problem,
  className = '',
}: {
  label: string
  name?: string
  max: number
  value: string
  onText: (text: string) => void
  problem: string | null
  className?: string
}) {
  return (
    <Field
      label={label}
      {...(name === undefined ? {} : { name })}
      type="number"
      inputMode="numeric"
      min={1}
      max={max}
      value={value}
      onChange={(event) => onText(event.target.value)}
      problem={problem}
      className={className}
    />
  )
}

/** A list with an item, or without it if it had one. */
export function toggled<Item>(items: readonly Item[], item: Item): Item[] {
  return items.includes(item) ? items.filter((other) => other !== item) : [...items, item]
}
