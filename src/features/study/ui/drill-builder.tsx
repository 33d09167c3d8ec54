import { useState, type ReactNode, type SubmitEvent } from 'react'
import { useNavigate } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { messageOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { startDrill } from '../study-client.ts'
import { copy } from '../study.copy.ts'
import { countFitting } from '../study.ts'
import { DRILL_MAX, DrillFilters, LAST_ATTEMPTS_MAX, type Source, type Standing } from '../study.schema.ts'

const offered = ['missed', 'unseen', 'flagged'] as const satisfies readonly Source[]

/** Chooses what a drill is built from; how many questions fit is said at every change, before anything starts. */
export function DrillBuilder({
  courseSlug,
  standings,
  initial,
  openDrillId,
  isMain,
}: {
  courseSlug: string
  standings: readonly Standing[]
  initial: DrillFilters
  openDrillId: string | null
  /** Whether this is the one thing to do on the page. */
  isMain: boolean
}) {
  const [from, setFrom] = useState<readonly Source[]>(initial.from)
  const [domains, setDomains] = useState<readonly string[]>(initial.domains)
  const [lastAttempts, setLastAttempts] = useState(String(initial.lastAttempts))
  const [count, setCount] = useState(String(initial.count))
  const navigate = useNavigate()
  const { start, isStarting, problem } = useStart(courseSlug, openDrillId, (drillId) =>
    navigate(paths.runningDrill(courseSlug, drillId)),
  )

  const parsed = DrillFilters.safeParse({ from, domains, lastAttempts: Number(lastAttempts), count: Number(count) })
  const fieldProblem = (field: string, max: number) =>
    parsed.error?.issues.some(({ path }) => path[0] === field) ? fill(copy['drill.count.problem'], { max }) : null
  const fitCount = parsed.success ? countFitting(standings, parsed.data) : 0
  const names = [...new Set(standings.map(({ domain }) => domain))].sort()
  const countOf = (filters: Partial<DrillFilters>) =>
    countFitting(standings, { ...(parsed.success ? { lastAttempts: parsed.data.lastAttempts } : {}), ...filters })

  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (parsed.success && fitCount > 0) void start(parsed.data)
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
      <div className="mt-4 grid gap-x-10 gap-y-6 tablet:grid-cols-2">
        <div>
          <Group title={copy['drill.from']} hint={copy['drill.from.hint']}>
            {offered.map((source) => (
              <Choice
                key={source}
                label={copy[`drill.from.${source}`]}
                count={countOf({ from: [source] })}
                isChosen={from.includes(source)}
                onChange={() => setFrom(toggled(from, source))}
              />
            ))}
          </Group>
          {from.includes('missed') ? (
            <Field
              label={copy['drill.last-attempts']}
              type="number"
              inputMode="numeric"
              min={1}
              max={LAST_ATTEMPTS_MAX}
              value={lastAttempts}
              onChange={(event) => setLastAttempts(event.target.value)}
              problem={fieldProblem('lastAttempts', LAST_ATTEMPTS_MAX)}
              className="mt-3 max-w-56"
            />
          ) : null}
        </div>
        <Group title={copy['drill.domains']} hint={copy['drill.domains.hint']}>
          {names.map((domain) => (
            <Choice
              key={domain}
              label={domain}
              count={countOf({ from: [...from], domains: [domain] })}
              isChosen={domains.includes(domain)}
              onChange={() => setDomains(toggled(domains, domain))}
            />
          ))}
        </Group>
      </div>
      <Field
        label={copy['drill.count']}
        type="number"
        inputMode="numeric"
        min={1}
        max={DRILL_MAX}
        value={count}
        onChange={(event) => setCount(event.target.value)}
        problem={fieldProblem('count', DRILL_MAX)}
        className="mt-6 max-w-56"
      />
      <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3 border-t border-line pt-5">
        <Button
          type="submit"
          look={isMain ? 'primary' : 'secondary'}
          disabled={!parsed.success || fitCount === 0 || isStarting}
        >
          {openDrillId === null ? copy['drill.start'] : copy['drill.start.replaces']}
        </Button>
        <p role="status" className="nums">
          {parsed.success ? fitSentence(fitCount, parsed.data.count) : ''}
        </p>
      </div>
      {problem === null ? null : (
        <Notice tone="bad" className="mt-4">
          {problem}
        </Notice>
      )}
    </form>
  )
}

function fitSentence(n: number, count: number): string {
  if (n === 0) return copy['drill.fit.none']
  if (n === 1) return copy['drill.fit.one']
  return fill(n <= count ? copy['drill.fit.all'] : copy['drill.fit.some'], { n, count })
}

function toggled<Item>(items: readonly Item[], item: Item): Item[] {
  return items.includes(item) ? items.filter((one) => one !== item) : [...items, item]
}

function Group({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-semibold">{title}</legend>
      <p className="text-sm text-soft">{hint}</p>
      <div className="mt-2">{children}</div>
    </fieldset>
  )
}

function Choice({
  label,
  count,
  isChosen,
  onChange,
}: {
  label: string
  count: number
  isChosen: boolean
  onChange: () => void
}) {
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-3 py-2">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={onChange}
        className="mt-1 size-[18px] shrink-0 accent-accent"
      />
      <span className="min-w-0 flex-1">{label}</span>
      <span className="nums text-soft">
        {count}
        <span className="sr-only">{count === 1 ? ' question' : ' questions'}</span>
      </span>
    </label>
  )
}

/** Starts once, and leads to the drill. */
export function useStart(courseSlug: string, openDrillId: string | null, onStarted: (drillId: string) => void) {
  const [isStarting, setStarting] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const start = async (filters: DrillFilters) => {
    setStarting(true)
    setProblem(null)
    try {
      const { id } = await startDrill(courseSlug, filters, openDrillId ?? undefined)
      onStarted(id)
    } catch (error) {
      setProblem(messageOf(error))
      setStarting(false)
    }
  }
  return { start, isStarting, problem }
}
