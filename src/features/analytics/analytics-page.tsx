import { useLoaderData, useLocation, type MetaFunction } from 'react-router'
import { fill } from '../../lib/failure.ts'
import { adminPaths } from '../../lib/admin-paths.ts'
import { formatDay, formatInstant } from '../../lib/time.ts'
import { Chooser } from '../../ui/chooser.tsx'
import { FilterForm, filterField } from '../../ui/filter-form.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Heading } from '../../ui/page-parts.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { findCourses } from '../catalogue/course-choices-client.ts'
import { describeCourse, unclearSentence } from '../catalogue/course-choices.ts'
import type { CourseChoice, Unclear } from '../catalogue/course-choices.schema.ts'
import type { analyticsLoader } from './analytics-endpoints.server.ts'
import { copy } from './analytics.copy.ts'
import { queryOf } from './analytics.ts'
import { PERIODS, type AnalyticsFilter } from './analytics.schema.ts'
import { Charts } from './ui/analytics-charts.tsx'
import { CourseTable } from './ui/course-figures-table.tsx'
import { Figures } from './ui/figures.tsx'

export { analyticsLoader as loader } from './analytics-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['analytics.title'] }, { name: 'robots', content: 'noindex' }]

const link = 'inline-flex min-h-11 items-center text-sm font-semibold text-accent underline underline-offset-2'

/** Sales, learners and results of a period. */
export default function AnalyticsPage() {
  const data = useLoaderData<typeof analyticsLoader>()
  const { filter, chosen, figures, figuresBefore, points, at } = data
  const { period, before } = chosen
  const query = queryOf(filter)
  return (
    <>
      <Heading>{copy['analytics.title']}</Heading>
      <p className="nums mt-1 text-sm text-soft">{fill(copy['analytics.as-of'], { at: formatInstant(at) })}</p>
      <p className="mt-2 max-w-read text-soft">
        {copy['analytics.about']} {data.isTest ? copy['analytics.test-orders'] : ''}
      </p>
      <Periods filter={filter} />
      <Choice key={query} filter={filter} problems={chosen.problems} course={data.course} unclear={data.unclear} />
      {Object.keys(chosen.problems).length === 0 ? null : (
        <Notice tone="bad" className="mt-4">
          {copy['analytics.own.instead']}
        </Notice>
      )}
      {data.isCourseGone ? (
        <Notice tone="info" className="mt-4">
          {copy['analytics.gone']}
        </Notice>
      ) : null}
      <p className="nums mt-6 mb-3 font-medium">
        {fill(copy['analytics.range'], {
          from: formatDay(period.from),
          to: formatDay(period.to),
          beforeFrom: formatDay(before.from),
          beforeTo: formatDay(before.to),
        })}
      </p>
      <Figures now={figures} before={figuresBefore} />
      <div className="mt-10">
        <h2 className="sr-only">{copy['analytics.period']}</h2>
        <Charts points={points} unit={period.unit} />
        {/* The browser downloads files; the router does not handle them. */}
        <a href={`/api/analytics/days.csv${query}`} download className={`${link} mt-4`}>
          {copy[period.unit === 'day' ? 'download.days' : 'download.months']}
        </a>
      </div>
      {filter.course !== null ? null : (
        <section aria-labelledby="courses-heading" className="mt-10">
          <h2 id="courses-heading" className="text-lg font-semibold">
            {copy['courses.title']}
          </h2>
          <p className="max-w-read text-sm text-soft">{copy['courses.about']}</p>
          <CourseTable courses={data.courses} all={data.courseCount} filter={filter} />
          <a href={`/api/analytics/courses.csv${query}`} download className={`${link} mt-2`}>
            {copy['download.courses']}
          </a>
        </section>
      )}
      <Definitions />
    </>
  )
}

function Periods({ filter }: { filter: AnalyticsFilter }) {
  return (
    <Tabs
      label={copy['analytics.period']}
      chosen={filter.period}
      tabs={PERIODS.filter((name) => name !== 'own').map((name) => ({
        id: name,
        label: copy[`period.${name}`],
        to: adminPaths.analytics + queryOf({ ...filter, period: name }),
      }))}
    />
  )
}

/** Filters by course and custom dates. They are part of the address, and work without a script. */
function Choice({
  filter,
  problems,
  course,
  unclear,
}: {
  filter: AnalyticsFilter
  problems: { readonly from?: string; readonly to?: string }
  course: CourseChoice | null
  unclear: Unclear | null
}) {
  const { key: visit } = useLocation()
  const isOwn = filter.period === 'own'
  return (
    <FilterForm action={copy['analytics.show']}>
      {/* Custom dates take precedence over this period. */}
      <input type="hidden" name="period" value={filter.period} />
      <Chooser
        label={copy['analytics.course']}
        names={{ chosen: 'course', typed: 'named' }}
        none={copy['analytics.course.all']}
        chosen={course}
        typed={unclear?.named ?? null}
        visit={visit}
        problem={unclear === null ? null : unclearSentence(unclear)}
        find={findCourses}
        describe={describeCourse}
        className={filterField.wide}
      />
      {(['from', 'to'] as const).map((end) => (
        <Field
          key={end}
          label={copy[`analytics.own.${end}`]}
          name={end}
          type="date"
          defaultValue={isOwn ? filter[end] : ''}
          problem={problems[end]}
          className={filterField.narrow}
        />
      ))}
    </FilterForm>
  )
}

const defined = ['gross', 'refunded', 'net', 'conversion', 'learners', 'passes'] as const

function Definitions() {
  return (
    <section aria-labelledby="definitions-heading" className="mt-10 max-w-read text-sm">
      <h2 id="definitions-heading" className="text-lg font-semibold">
        {copy['definitions.title']}
      </h2>
      <ul className="mt-2 list-disc space-y-1 pl-5 text-soft">
        {defined.map((name) => (
          <li key={name}>{copy[`definitions.${name}`]}</li>
        ))}
      </ul>
    </section>
  )
}
