import { useState, type SubmitEvent } from 'react'
import { fill } from '../../../lib/failure.ts'
import { messageOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { copy } from '../study.copy.ts'
import { countFitting } from '../study.ts'
import { useDrillStart } from '../use-drill-start.ts'
import { DRILL_MAX, DrillFilters, LAST_ATTEMPTS_MAX, type CountedStanding, type Source } from '../study.schema.ts'
import { ChoiceGroup, toggled, WholeNumberField } from '../mock-exams/ui/question-choices.tsx'

const offered = ['missed', 'unseen', 'flagged'] as const satisfies readonly Source[]

/** Chooses the questions of a drill. Each change shows how many questions fit. */
export function DrillBuilder({
  courseSlug,
  standings,
  initial,
  openDrillId,
  isMain,
}: {
  courseSlug: string
  standings: readonly CountedStanding[]
  initial: DrillFilters
  openDrillId: string | null
  /** Whether this is the main action of the page. */
  isMain: boolean
}) {
  const form = useFilterForm(standings, initial)
  const starting = useDrillStart(courseSlug, openDrillId)
  const { filters, fitCount } = form
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (filters !== null && fitCount > 0) starting.run(filters)
  }
  return (
    <form
      onSubmit={handleSubmit}
      noValidate
      aria-labelledby="build-heading"
      className="mt-6 rounded-lg border border-line bg-surface p-5 tablet:p-6"
    >
      <h2 id="build-heading" className="text-lg font-semibold">
        {copy['drill.build']}
      </h2>
      <FilterFields form={form} domains={[...new Set(standings.map(({ domain }) => domain))].sort()} />
      <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3 border-t border-line pt-5">
        <Button type="submit" look={isMain ? 'primary' : 'secondary'} disabled={fitCount === 0} {...starting.button}>
          {openDrillId === null ? copy['drill.start'] : copy['drill.start.replaces']}
        </Button>
        <p role="status" className="nums">
          {filters === null ? '' : fitSentence(fitCount, filters.count)}
        </p>
      </div>
      {starting.failure === null ? null : (
        <Notice tone="bad" className="mt-4">
          {messageOf(starting.failure)}
        </Notice>
      )}
    </form>
  )
}

/** The filters as typed, parsed, and the count of questions that fit them. */
function useFilterForm(standings: readonly CountedStanding[], initial: DrillFilters) {
  const [typed, setTyped] = useState({
    ...initial,
    lastAttempts: String(initial.lastAttempts),
    count: String(initial.count),
  })
  const { data: filters = null, error } = DrillFilters.safeParse({
    ...typed,
    lastAttempts: Number(typed.lastAttempts),
    count: Number(typed.count),
  })
  return {
    typed,
    change: (changed: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...changed })),
    /** Null while a number is out of range. */
    filters,
    fitCount: filters === null ? 0 : countFitting(standings, filters),
    isWrong: (field: keyof DrillFilters) => error?.issues.some(({ path }) => path[0] === field) === true,
    countOf: (other: Partial<DrillFilters>) =>
      countFitting(standings, { ...(filters === null ? {} : { lastAttempts: filters.lastAttempts }), ...other }),
  }
}

function FilterFields({ form, domains }: { form: ReturnType<typeof useFilterForm>; domains: readonly string[] }) {
  const { typed, change, countOf, isWrong } = form
  const problemOf = (field: 'lastAttempts' | 'count', max: number) =>
    isWrong(field) ? fill(copy['drill.count.problem'], { max }) : null
  return (
    <>
      <div className="mt-4 grid gap-x-10 gap-y-6 tablet:grid-cols-2">
        <div>
          <ChoiceGroup
            title={copy['drill.from']}
            hint={copy['drill.from.hint']}
            options={offered.map((value) => ({ value, label: copy[`drill.from.${value}`] }))}
            chosen={typed.from}
            onToggle={(source) => change({ from: toggled(typed.from, source as Source) })}
            countWith={(source) => countOf({ from: [source as Source] })}
          />
          {typed.from.includes('missed') ? (
            <WholeNumberField
              label={copy['drill.last-attempts']}
              max={LAST_ATTEMPTS_MAX}
              value={typed.lastAttempts}
              onText={(lastAttempts) => change({ lastAttempts })}
              problem={problemOf('lastAttempts', LAST_ATTEMPTS_MAX)}
              className="mt-3 max-w-56"
            />
          ) : null}
        </div>
        <ChoiceGroup
          title={copy['drill.domains']}
          hint={copy['drill.domains.hint']}
          options={domains.map((value) => ({ value, label: value }))}
          chosen={typed.domains}
          onToggle={(domain) => change({ domains: toggled(typed.domains, domain) })}
          countWith={(domain) => countOf({ from: typed.from, domains: [domain] })}
        />
      </div>
      <WholeNumberField
        label={copy['drill.count']}
        max={DRILL_MAX}
        value={typed.count}
        onText={(count) => change({ count })}
        problem={problemOf('count', DRILL_MAX)}
        className="mt-6 max-w-56"
      />
    </>
  )
}

function fitSentence(n: number, count: number): string {
  if (n === 0) return copy['drill.fit.none']
  if (n === 1) return copy['drill.fit.one']
  return fill(n <= count ? copy['drill.fit.all'] : copy['drill.fit.some'], { n, count })
}
