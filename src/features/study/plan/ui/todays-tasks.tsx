import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import type { MockExam } from '../plan-mocks.ts'
import type { PlanView } from '../plan-view-queries.server.ts'
import { copy } from '../plan.copy.ts'

type Looks = 'primary' | 'secondary'

/** What the plan has for today. Each task starts by a form, with and without scripts. */
export function TodaysTasks({
  plan,
  slug,
  hasAccess,
  openDrillId,
}: {
  plan: PlanView
  slug: string
  hasAccess: boolean
  openDrillId: string | null
}) {
  const [first] = plan.days
  if (first === undefined) return null
  const { dueCount, newByDomain, mock, kind } = first
  const newCount = newByDomain.reduce((sum, { count }) => sum + count, 0)
  const isDone = dueCount + newCount === 0 && mock === null
  const done = plan.doneToday.answered
  // One main action: what comes first.
  const looks: Looks[] =
    openDrillId === null ? ['primary', 'secondary', 'secondary'] : ['secondary', 'secondary', 'secondary']
  const nextLook = () => looks.shift() ?? 'secondary'
  return (
    <section aria-labelledby="plan-today" className="mt-5 border-t border-line pt-4">
      <h2 id="plan-today" className="text-lg font-semibold">
        {copy['plan.today']}
      </h2>
      {kind === 'light' ? <p className="text-soft">{copy['plan.today.light']}</p> : null}
      {isDone ? <p className="mt-1">{copy[kind === 'rest' ? 'plan.today.rest' : 'plan.today.done']}</p> : null}
      {done === 0 ? null : <p className="nums text-sm text-soft">{fill(copy['plan.today.answered'], { n: done })}</p>}
      {openDrillId === null || !hasAccess ? null : <OpenDrill slug={slug} drillId={openDrillId} />}
      <ul className="divide-y divide-line">
        {dueCount === 0 ? null : (
          <Task title={fill(copy['plan.today.due'], { n: dueCount })} hint={copy['plan.today.due.hint']}>
            {hasAccess ? <Start act="due" count={dueCount} look={nextLook()} /> : null}
          </Task>
        )}
        {newCount === 0 ? null : (
          <Task
            title={fill(copy['plan.today.new'], { n: newCount })}
            hint={newByDomain.map(({ domain, count }) => `${count} ${domain}`).join(' · ')}
          >
            {hasAccess ? (
              <Start act="new" count={newCount} domains={newByDomain.map(({ domain }) => domain)} look={nextLook()} />
            ) : null}
          </Task>
        )}
        {mock === null ? null : <MockTask mock={mock} slug={slug} look={hasAccess ? nextLook() : null} />}
      </ul>
    </section>
  )
}

function OpenDrill({ slug, drillId }: { slug: string; drillId: string }) {
  return (
    <p className="mt-2 text-sm">
      {copy['plan.drill.open']}{' '}
      <Link to={paths.runningDrill(slug, drillId)} className="font-semibold text-accent underline">
        {copy['plan.drill.resume']}
      </Link>
    </p>
  )
}

function MockTask({ mock, slug, look }: { mock: MockExam; slug: string; look: Looks | null }) {
  return (
    <Task title={fill(copy['plan.today.mock'], mock)} hint={copy['plan.today.mock.hint']}>
      {look === null ? null : (
        <ButtonLink to={paths.mock(slug)} look={look}>
          {copy['plan.today.mock.start']}
        </ButtonLink>
      )}
    </Task>
  )
}

function Task({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
      <div className="min-w-0 flex-1 basis-56">
        <p className="nums font-semibold">{title}</p>
        <p className="nums text-sm text-soft">{hint}</p>
      </div>
      {children}
    </li>
  )
}

function Start({
  act,
  count,
  domains = [],
  look,
}: {
  act: 'due' | 'new'
  count: number
  domains?: readonly string[]
  look: Looks
}) {
  return (
    <form method="post">
      <input type="hidden" name="count" value={count} />
      {domains.map((domain, place) => (
        <input key={domain} type="hidden" name={`domain-${place}`} value={domain} />
      ))}
      <Button type="submit" name="do" value={act} look={look}>
        {copy[`plan.today.${act}.start`]}
      </Button>
    </form>
  )
}
