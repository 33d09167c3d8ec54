import { useState } from 'react'
import { Link } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { Button } from '../../../../ui/button.tsx'
import { useHydrated } from '../../../../ui/use-hydrated.ts'
import { copy } from '../mock-exams.copy.ts'
import { countFitting } from '../custom-count.ts'
import type { MockPage } from '../mock-exams-page.tsx'
import { CUSTOM_LIMITS, CUSTOM_SOURCES } from '../custom-limits.ts'
import { ChoiceGroup, toggled, WholeNumberField } from './question-choices.tsx'
import { OpenExam } from './open-exam.tsx'

type Chosen = {
  readonly from: readonly string[]
  readonly domains: readonly string[]
  readonly kinds: readonly string[]
  readonly count: string
  readonly minutes: string
}

const START: Chosen = { from: [], domains: [], kinds: [], count: '20', minutes: '30' }

/**
 * Chooses the questions of a custom exam. Each change shows how many fit; without scripts a button of the form counts them. The
 * browser posts the form in either case.
 */
export function CustomExamForm({
  data,
  counted,
}: {
  data: MockPage
  /** What the server counted for a posted form, and what was chosen in it. */
  counted: { readonly fitting: number; readonly custom: CustomChoice } | null
}) {
  const { course, counts, open } = data
  const [chosen, setChosen] = useState<Chosen>(() =>
    counted === null
      ? START
      : { ...counted.custom, count: String(counted.custom.count), minutes: String(counted.custom.minutes) },
  )
  const isHydrated = useHydrated()
  const countOf = (other: Partial<Chosen>) => countFitting(counts, { ...chosen, ...other })
  const fitting = countOf({})
  return (
    <form
      method="post"
      action={paths.mock(course.slug)}
      noValidate
      aria-labelledby="custom-heading"
      className="mt-6 rounded-lg border border-line bg-surface p-5 tablet:p-6"
    >
      <h2 id="custom-heading" className="text-xl font-semibold">
        {copy['custom.title']}
      </h2>
      <p className="mt-1 max-w-read text-soft">
        {copy['custom.about']}{' '}
        <Link to={paths.drill(course.slug)} className="font-medium text-accent underline underline-offset-2">
          {copy['custom.drill']}
        </Link>
      </p>
      {open.custom === null ? null : <OpenExam slug={course.slug} open={open.custom} look="secondary" />}
      <input type="hidden" name="kind" value="custom" />
      <input type="hidden" name="replaces" value={open.custom?.id ?? ''} />
      <Choices data={data} chosen={chosen} onChange={setChosen} countOf={countOf} />
      <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3 border-t border-line pt-5">
        <Button type="submit" look="secondary" disabled={isHydrated && (fitting === 0 || !isValid(chosen))}>
          {copy[open.custom === null ? 'custom.start' : 'custom.start.replaces']}
        </Button>
        {isHydrated ? null : (
          <Button type="submit" look="quiet" name="do" value="count">
            {copy['custom.count-them']}
          </Button>
        )}
        <p role="status" className="nums">
          {isHydrated || counted !== null ? fitSentence(isHydrated ? fitting : (counted?.fitting ?? 0), chosen) : ''}
        </p>
      </div>
    </form>
  )
}

/** The questions that are chosen, their number and the minutes. */
function Choices({
  data: { kinds, domains },
  chosen,
  onChange,
  countOf,
}: {
  data: MockPage
  chosen: Chosen
  onChange: (chosen: Chosen) => void
  countOf: (other: Partial<Chosen>) => number
}) {
  const group = (name: 'from' | 'domains' | 'kinds') => ({
    chosen: chosen[name],
    onToggle: (value: string) => onChange({ ...chosen, [name]: toggled(chosen[name], value) }),
    countWith: (value: string) => countOf({ [name]: [value] }),
  })
  return (
    <div className="mt-5 grid gap-x-10 gap-y-6 tablet:grid-cols-2">
      <ChoiceGroup
        title={copy['custom.from']}
        hint={copy['custom.from.hint']}
        name="from"
        {...group('from')}
        options={CUSTOM_SOURCES.map((value) => ({ value, label: copy[`custom.from.${value}`] }))}
      />
      <ChoiceGroup
        title={copy['custom.domains']}
        hint={copy['custom.domains.hint']}
        name="domain"
        {...group('domains')}
        options={domains.map((value) => ({ value, label: value }))}
      />
      {kinds.length < 2 ? null : (
        <ChoiceGroup
          title={copy['custom.kinds']}
          hint={copy['custom.kinds.hint']}
          name="kind-of"
          {...group('kinds')}
          options={kinds.map(({ kind, words }) => ({
            value: kind,
            label: `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
          }))}
        />
      )}
      <div className="grid h-fit grid-cols-2 gap-4">
        <NumberField name="count" value={chosen.count} onText={(count) => onChange({ ...chosen, count })} />
        <NumberField name="minutes" value={chosen.minutes} onText={(minutes) => onChange({ ...chosen, minutes })} />
      </div>
    </div>
  )
}

/** What the server read from a posted form. */
type CustomChoice = {
  readonly from: readonly string[]
  readonly domains: readonly string[]
  readonly kinds: readonly string[]
  readonly count: number
  readonly minutes: number
}

function isWhole(text: string, max: number): boolean {
  const value = Number(text)
  return Number.isInteger(value) && value >= 1 && value <= max
}

const isValid = ({ count, minutes }: Chosen) =>
  isWhole(count, CUSTOM_LIMITS.count) && isWhole(minutes, CUSTOM_LIMITS.minutes)

function NumberField(props: { name: 'count' | 'minutes'; value: string; onText: (text: string) => void }) {
  const { name, value, onText } = props
  const max = CUSTOM_LIMITS[name]
  return (
    <WholeNumberField
      label={copy[`custom.${name}`]}
      name={name}
      max={max}
      value={value}
      onText={onText}
      problem={isWhole(value, max) ? null : copy[`custom.${name}.problem`]}
    />
  )
}

function fitSentence(n: number, { count }: Chosen): string {
  if (n === 0) return copy['custom.fit.none']
  return fill(copy[n <= Number(count) ? 'custom.fit.all' : 'custom.fit.some'], { n, count })
}
