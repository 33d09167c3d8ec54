import { pluralOf } from '../../../../lib/text.ts'
import { Field } from '../../../../ui/field.tsx'
import { LAST_ATTEMPTS_MAX } from '../../study.schema.ts'
import { copy } from '../question-filters.copy.ts'
import {
  countMax,
  countTyped,
  CUSTOM_MINUTES_MAX,
  type filterProblems,
  OFFERED_SOURCES,
  type FilterKind,
  type TypedFilters,
} from '../question-filters.ts'
import type { FilterFormData } from './question-filter-form.tsx'

/** The first choice: a drill or a custom exam. */
export function KindField({ chosen, onChoose }: { chosen: FilterKind; onChoose: (kind: FilterKind) => void }) {
  return (
    <fieldset className="mt-4 min-w-0">
      <legend className="text-sm font-semibold">{copy['filters.kind']}</legend>
      <div className="mt-2 grid gap-3 tablet:grid-cols-2">
        {(['drill', 'custom'] as const).map((kind) => (
          <label
            key={kind}
            className="flex cursor-pointer items-start gap-3 rounded-md border border-line-strong p-3 has-checked:border-accent has-checked:bg-sunken"
          >
            <input
              type="radio"
              name="kind"
              value={kind}
              checked={chosen === kind}
              onChange={() => onChoose(kind)}
              aria-describedby={`kind-${kind}`}
              aria-labelledby={`kind-${kind}-label`}
              className="mt-[3px] size-5 shrink-0"
            />
            <span className="min-w-0">
              <span id={`kind-${kind}-label`} className="block font-semibold">
                {copy[`filters.kind.${kind}`]}
              </span>
              <span id={`kind-${kind}`} className="block text-sm text-soft">
                {copy[`filters.kind.${kind}.about`]}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/**
 * The fields that drills and custom exams share, and the minutes of a custom exam. The style sheet shows the fields that count, so
 * that they appear without scripts, too.
 */
export function FilterFields({
  data: { standings, kinds },
  typed,
  problems,
  onChange,
}: {
  data: FilterFormData
  typed: TypedFilters
  problems: ReturnType<typeof filterProblems>
  onChange: (typed: TypedFilters) => void
}) {
  const domains = [...new Set(standings.map(({ domain }) => domain))].toSorted()
  const group = (name: 'from' | 'domains' | 'kinds') => ({
    title: copy[`filters.${name}`],
    hint: copy[`filters.${name}.hint`],
    chosen: typed[name],
    onToggle: (value: string) => onChange({ ...typed, [name]: toggled(typed[name], value) }),
    countWith: (value: string) => countTyped(standings, { ...typed, [name]: [value] }),
  })
  const number = numberField(typed, problems, onChange)
  return (
    <div className="mt-6 grid gap-x-10 gap-y-6 tablet:grid-cols-2">
      <div className="min-w-0">
        <CheckboxGroup
          {...group('from')}
          name="from"
          options={OFFERED_SOURCES.map((value) => ({ value, label: copy[`filters.from.${value}`] }))}
        />
        <WholeNumberField
          {...number('lastAttempts', LAST_ATTEMPTS_MAX)}
          className="mt-3 hidden max-w-56 group-has-[[value=missed]:checked]/filters:block"
        />
      </div>
      <CheckboxGroup {...group('domains')} name="domain" options={domains.map((value) => ({ value, label: value }))} />
      {kinds.length < 2 ? null : (
        <CheckboxGroup
          {...group('kinds')}
          name="kind-of"
          options={kinds.map(({ kind, words }) => ({
            value: kind,
            label: `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
          }))}
        />
      )}
      <div className="flex h-fit flex-wrap gap-4">
        <WholeNumberField {...number('count', countMax(typed.kind))} className="w-36" />
        <WholeNumberField
          {...number('minutes', CUSTOM_MINUTES_MAX)}
          className="hidden w-36 group-has-[[name=kind][value=custom]:checked]/filters:block"
        />
      </div>
    </div>
  )
}

function numberField(
  typed: TypedFilters,
  problems: ReturnType<typeof filterProblems>,
  onChange: (typed: TypedFilters) => void,
) {
  return (name: 'lastAttempts' | 'count' | 'minutes', max: number) => ({
    label: copy[`filters.${name}`],
    name,
    max,
    value: typed[name],
    problem: problems[name] ?? null,
    onText: (text: string) => onChange({ ...typed, [name]: text }),
  })
}

/** Checkboxes, each with the number of questions that it would give. */
function CheckboxGroup({
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
  /** Each checkbox is posted with a number behind it: of several fields with one name only the last is read. */
  name: string
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
                name={`${name}.${place}`}
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
function WholeNumberField({
  onText,
  ...rest
}: {
  label: string
  name: string
  max: number
  value: string
  onText: (text: string) => void
  problem: string | null
  className: string
}) {
  return <Field type="number" inputMode="numeric" min={1} onChange={(event) => onText(event.target.value)} {...rest} />
}

/** A list with an item, or without it if it had one. */
function toggled(items: readonly string[], item: string): string[] {
  return items.includes(item) ? items.filter((other) => other !== item) : [...items, item]
}
