import { Link } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { copy } from '../analytics.copy.ts'
import { queryOf } from '../analytics.ts'
import type { AnalyticsFilter, CourseFigures } from '../analytics.schema.ts'
import { changeText } from './figure.tsx'
import { dollars, percent } from './figures.tsx'
import { Table } from './chart-table.tsx'

type Line = CourseFigures & { readonly change: number | null; readonly passRate: number | null }

/** The figures of each course, the highest revenue first. */
export function CourseTable({
  courses,
  all,
  filter,
}: {
  courses: readonly Line[]
  all: number
  filter: AnalyticsFilter
}) {
  if (courses.length === 0) return <p className="mt-3">{copy['courses.none']}</p>
  return (
    <>
      <div className="mt-3">
        <Table
          hasManyColumns
          label={copy['courses.title']}
          head={[
            copy['column.course'],
            copy['column.orders'],
            copy['column.gross'],
            copy['column.refunded'],
            copy['column.net'],
            copy['column.before'],
            copy['column.trials'],
            copy['column.purchases'],
            copy['column.timed'],
            copy['column.passes'],
          ]}
          rows={courses.map((one) => ({
            key: one.courseId,
            cells: [
              <Link
                key="course"
                to={adminPaths.analytics + queryOf({ ...filter, course: one.courseId })}
                className="inline-block font-medium text-accent underline underline-offset-2 wrap-anywhere wide:min-w-40"
              >
                {one.title}
              </Link>,
              one.orders,
              dollars(one.grossCents),
              dollars(one.refundedCents),
              dollars(one.grossCents - one.refundedCents),
              changeText(one.change),
              one.trials,
              one.purchases,
              one.timed,
              percent(one.passRate),
            ],
          }))}
        />
      </div>
      {all <= courses.length ? null : (
        <p className="nums mt-2 text-sm text-soft">{fill(copy['courses.more'], { n: courses.length, all })}</p>
      )}
    </>
  )
}
