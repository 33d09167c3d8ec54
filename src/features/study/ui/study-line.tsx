import { Link } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { copy } from '../study.copy.ts'
import type { Readiness, Repetition } from '../study.schema.ts'

/** Due questions and readiness of a course, for the list of courses. */
export function StudyLine({
  course,
  repetition: { dueCount },
  readiness,
}: {
  course: { readonly slug: string; readonly title: string }
  repetition: Repetition
  readiness: Readiness
}) {
  const to = paths.drill(course.slug)
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
      </div>
      <ButtonLink look="secondary" to={to} aria-label={`${copy['study.drill']}: ${course.title}`}>
        {copy['study.drill']}
      </ButtonLink>
    </div>
  )
}

function sentenceOf(readiness: Readiness): string {
  if (readiness.kind === 'not-enough') return copy['readiness.line.none']
  const { expectedPercent, lowPercent, highPercent, passingPercent: passing } = readiness
  const [expected, low, high] = [expectedPercent, lowPercent, highPercent].map(Math.round)
  return fill(copy['readiness.line'], { expected: expected ?? 0, low: low ?? 0, high: high ?? 0, passing })
}
