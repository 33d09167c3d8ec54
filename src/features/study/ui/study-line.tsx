import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { quietLink } from '../../../ui/page-parts.tsx'
import type { PlanToday } from '../plan/plan-view-queries.server.ts'
import { PlannedTasks, PlanSummary } from '../plan/ui/plan-line.tsx'
import { copy } from '../study.copy.ts'
import type { Readiness, Repetition } from '../study.schema.ts'
import { ReadinessScale } from './readiness-scale.tsx'

type Named = { readonly slug: string; readonly title: string }

/** A course in My Courses: the days to the exam, readiness, and what to do today, with the ways to their pages. */
export function StudyLine({
  course,
  repetition: { dueCount },
  readiness,
  plan,
  isMain,
}: {
  course: Named
  repetition: Repetition
  readiness: Readiness
  plan: PlanToday | null
  /** Whether studying is the one thing to do next. */
  isMain: boolean
}) {
  return (
    <div className="nums mt-5 border-t border-line pt-4">
      <dl className="grid gap-x-8 gap-y-4 tablet:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_minmax(0,2fr)]">
        <Part name={copy['line.exam']}>
          <PlanSummary plan={plan} course={course} />
        </Part>
        <Part name={copy['line.readiness']}>
          <ReadinessSummary readiness={readiness} />
        </Part>
        <Part name={copy['line.today']}>
          <Today course={course} dueCount={dueCount} plan={plan} />
        </Part>
      </dl>
      <Ways course={course} isMain={isMain} />
    </div>
  )
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs font-medium text-soft">{name}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  )
}

function ReadinessSummary({ readiness }: { readiness: Readiness }) {
  if (readiness.kind === 'not-enough')
    return (
      <>
        <p className="text-lg font-semibold">{copy['line.readiness.none']}</p>
        <p className="text-sm text-soft">
          {fill(copy['line.readiness.needed'], { answered: readiness.answered, needed: readiness.needed })}
        </p>
      </>
    )
  const { expectedPercent, lowPercent, highPercent, passingPercent, realExam } = readiness
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-lg font-semibold">
          {fill(copy['line.readiness.expected'], { expected: Math.round(expectedPercent) })}
        </span>
        <span className="text-sm text-soft">{fill(copy['line.readiness.passing'], { passing: passingPercent })}</span>
      </p>
      <div className="mt-1 max-w-md">
        <ReadinessScale estimate={readiness} size="small" />
      </div>
      <p className="mt-1 text-sm text-soft">
        {fill(copy['line.readiness.ranges'], {
          low: Math.round(lowPercent),
          high: Math.round(highPercent),
          realLow: Math.round(realExam.lowPercent),
          realHigh: Math.round(realExam.highPercent),
        })}
      </p>
    </>
  )
}

function Today({ course, dueCount, plan }: { course: Named; dueCount: number; plan: PlanToday | null }) {
  return (
    <>
      {dueCount === 0 ? (
        <p className="text-lg font-semibold">{copy['due.none']}</p>
      ) : (
        <p>
          <Link
            to={paths.drill(course.slug)}
            className="inline-flex min-h-6 items-center text-lg font-semibold text-accent underline underline-offset-2"
          >
            {fill(copy['due.some'], { n: dueCount })}
            <span className="sr-only">: {course.title}</span>
          </Link>
        </p>
      )}
      <PlannedTasks plan={plan} />
    </>
  )
}

/** The pages about studying the course; the one thing to do next stands out. */
function Ways({ course, isMain }: { course: Named; isMain: boolean }) {
  const { slug, title } = course
  const links = [
    { to: paths.progress(slug), label: copy['study.progress'] },
    { to: paths.plan(slug), label: copy['study.plan'] },
    { to: paths.diagnostic(slug), label: copy['study.diagnostic'] },
    { to: paths.mock(slug), label: copy['study.mock'] },
    { to: paths.examResult(slug), label: copy['study.result'] },
  ]
  const drill = {
    to: paths.drill(slug),
    'aria-label': `${copy['study.drill']}: ${title}`,
    children: copy['study.drill'],
  }
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-5">
      {isMain ? <ButtonLink {...drill} /> : <Link {...drill} className={quietLink} />}
      {links.map(({ to, label }) => (
        <Link key={to} to={to} aria-label={`${label}: ${title}`} className={quietLink}>
          {label}
        </Link>
      ))}
    </div>
  )
}
