import { Link } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { quietLink } from '../../../ui/page-parts.tsx'
import type { PlanToday } from '../plan/plan-view-queries.server.ts'
import { PlanLine } from '../plan/ui/plan-line.tsx'
import { copy } from '../study.copy.ts'
import type { Readiness, Repetition } from '../study.schema.ts'

/** Due questions and readiness of a course, for the list of courses. */
export function StudyLine({
  course,
  repetition: { dueCount },
  readiness,
  plan,
  isMain,
}: {
  course: { readonly slug: string; readonly title: string }
  repetition: Repetition
  readiness: Readiness
  plan: PlanToday | null
  /** Whether studying is the one thing to do next. */
  isMain: boolean
}) {
  const to = paths.drill(course.slug)
  const name = `${copy['study.drill']}: ${course.title}`
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-4">
      <div className="nums min-w-0">
        {dueCount === 0 ? (
          <p className="text-soft">{copy['due.none']}</p>
        ) : (
          <p>
            <Link to={to} className="font-semibold text-accent underline underline-offset-2">
              {fill(copy['due.some'], { n: dueCount })}
              <span className="sr-only">: {course.title}</span>
            </Link>
          </p>
        )}
        <p className="text-sm text-soft">{sentenceOf(readiness)}</p>
        <Pages course={course} />
        <PlanLine plan={plan} course={course} />
      </div>
      <div className="flex flex-wrap items-center gap-x-5">
        <Link to={paths.mock(course.slug)} aria-label={`${copy['study.mock']}: ${course.title}`} className={quietLink}>
          {copy['study.mock']}
        </Link>
        {isMain ? (
          <ButtonLink to={to} aria-label={name}>
            {copy['study.drill']}
          </ButtonLink>
        ) : (
          <Link to={to} aria-label={name} className={quietLink}>
            {copy['study.drill']}
          </Link>
        )}
      </div>
    </div>
  )
}

/** Where the learner sees how they do, and tells how the real exam went. */
function Pages({ course }: { course: { readonly slug: string; readonly title: string } }) {
  return (
    <p className="mt-1 flex flex-wrap gap-x-5 text-sm">
      <Link
        to={paths.progress(course.slug)}
        aria-label={`${copy['study.progress']}: ${course.title}`}
        className="inline-flex min-h-6 items-center text-accent underline underline-offset-2"
      >
        {copy['study.progress']}
      </Link>
      <Link
        to={paths.examResult(course.slug)}
        aria-label={`${copy['study.result']}: ${course.title}`}
        className="inline-flex min-h-6 items-center text-accent underline underline-offset-2"
      >
        {copy['study.result']}
      </Link>
    </p>
  )
}

function sentenceOf(readiness: Readiness): string {
  if (readiness.kind === 'not-enough') return copy['readiness.line.none']
  const { expectedPercent, lowPercent, highPercent, passingPercent: passing, realExam } = readiness
  return fill(copy['readiness.line'], {
    expected: Math.round(expectedPercent),
    low: Math.round(lowPercent),
    high: Math.round(highPercent),
    realLow: Math.round(realExam.lowPercent),
    realHigh: Math.round(realExam.highPercent),
    passing,
  })
}
