import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { fill } from '../../../lib/failure.ts'
import { FilterForm, filterField } from '../../../ui/filter-form.tsx'
import { EmptyState, Heading, quietLink } from '../../../ui/page-parts.tsx'
import { Paging } from '../../../ui/pagination.tsx'
import { withQuery } from '../../../ui/query-string.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import { copy, reasonNames } from './freshness.copy.ts'
import { FRESH_MONTHS, MONTH_CHOICES, STALE_REASONS } from './freshness.ts'
import type { freshnessLoader } from './freshness-endpoints.server.ts'
import type { StaleFilter, StaleQueue } from './freshness.schema.ts'
import { StaleQuestionList } from './ui/stale-question-list.tsx'
import { useMarking } from './ui/undo-marking.tsx'

export { freshnessLoader as loader } from './freshness-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['freshness.title'] }, { name: 'robots', content: 'noindex' }]

/** The questions to verify, as a work list. */
export default function FreshnessPage() {
  const { wanted, queue, links } = useLoaderData<typeof freshnessLoader>()
  const { questions, count, totalCount, page, pageCount } = queue
  const marking = useMarking()
  const to = (other: number) => addressOf({ ...wanted, page: other })
  return (
    <>
      <Heading>{copy['freshness.title']}</Heading>
      <p className="mt-2 max-w-read text-soft">{copy['freshness.about']}</p>
      <Filter wanted={wanted} queue={queue} />
      <div className="nums mt-6 flex flex-wrap justify-between gap-x-6 gap-y-1 text-sm text-soft">
        <h2 aria-live="polite">
          {fill(copy['freshness.count'], { n: count, all: totalCount.toLocaleString('en-US') })}
        </h2>
        <p>
          {links.checked === 0
            ? copy['freshness.links.none']
            : fill(copy['freshness.links'], { n: links.checked, dead: links.dead, unsure: links.unsure })}
        </p>
      </div>
      {wanted.course === null ? null : (
        <Link to={adminPaths.guide(wanted.course)} className={quietLink}>
          {copy['freshness.guide']}
        </Link>
      )}
      {marking.notice}
      {questions.length === 0 ? (
        <div className="mt-3">
          <EmptyState title={copy['freshness.none.title']} hint={copy['freshness.none']} />
        </div>
      ) : (
        // Another page or filter begins with nothing chosen.
        <StaleQuestionList key={to(page)} questions={questions} onMarked={marking.onMarked} />
      )}
      <Paging
        back={page === 1 ? null : { to: to(page - 1), label: copy['freshness.earlier'] }}
        on={page >= pageCount ? null : { to: to(page + 1), label: copy['freshness.later'] }}
        status={fill(copy['freshness.page'], { page, count: pageCount })}
      />
    </>
  )
}

/** The filter is a GET form, so that it works without a script. */
function Filter({ wanted, queue: { courses, reasons } }: { wanted: StaleFilter; queue: StaleQueue }) {
  return (
    <FilterForm preventScrollReset state={{ keepsFocus: true }} action={copy['freshness.filter.apply']}>
      <SelectField
        key={`course ${wanted.course}`}
        label={copy['freshness.filter.course']}
        name="course"
        defaultValue={wanted.course ?? ''}
        className={filterField.wide}
      >
        <option value="">{copy['freshness.filter.all']}</option>
        {courses.map(({ id, title, count }) => (
          <option key={id} value={id}>
            {title} ({count.toLocaleString('en-US')})
          </option>
        ))}
      </SelectField>
      <SelectField
        key={`reason ${wanted.reason}`}
        label={copy['freshness.filter.reason']}
        name="reason"
        defaultValue={wanted.reason ?? ''}
        className={filterField.narrow}
      >
        <option value="">{copy['freshness.filter.all']}</option>
        {STALE_REASONS.map((reason) => (
          <option key={reason} value={reason}>
            {reasonNames[reason]} ({reasons[reason].toLocaleString('en-US')})
          </option>
        ))}
      </SelectField>
      <SelectField
        key={`months ${wanted.months}`}
        label={copy['freshness.filter.months']}
        name="months"
        defaultValue={wanted.months}
        className={filterField.narrow}
      >
        {MONTH_CHOICES.map((months) => (
          <option key={months} value={months}>
            {fill(copy['freshness.months'], { n: months })}
          </option>
        ))}
      </SelectField>
    </FilterForm>
  )
}

function addressOf({ course, reason, months, page }: StaleFilter): string {
  const chosen = { course, reason, months: months === FRESH_MONTHS ? null : months }
  return withQuery(adminPaths.freshness, { ...chosen, page: page > 1 ? page : null })
}
