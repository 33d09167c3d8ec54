import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { formatDollars, type Cents } from '../../../../lib/money.ts'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { Choice } from '../../../../ui/choice.tsx'
import { ButtonLink } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { FilterForm, filterField } from '../../../../ui/filter-form.tsx'
import { Cell, ListRow, ListTable } from '../../../../ui/list-table.tsx'
import { EmptyState } from '../../../../ui/page-parts.tsx'
import { Paging } from '../../../../ui/pagination.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { withQuery } from '../../../../ui/query-string.ts'
import { copy } from '../scheduled-prices.copy.ts'
import { describeScheduledPrice, describeWas } from '../scheduled-prices.ts'
import type { ScheduledPriceView, PricedCourse, PricesForm, PriceFilter } from '../scheduled-prices.schema.ts'
import { CancelScheduledPrice } from './cancel-price-change.tsx'
import { PriceChangeForm } from './price-change-form.tsx'

type Priced = { readonly courses: readonly PricedCourse[]; readonly count: number; readonly next: string | null }
type Category = NonNullable<PriceFilter['category']>

/** Courses with their current and scheduled prices, from which an admin chooses those to change. */
export function PriceList({
  priced,
  filter,
  categories,
}: {
  priced: Priced
  filter: PriceFilter
  categories: readonly Category[]
}) {
  const { courses, next } = priced
  const choice = useCourseChoice(priced, filter)
  const heading = useRef<HTMLHeadingElement>(null)
  const [changeCount, setChangeCount] = useState(0)
  useEffect(() => {
    // The form with the focus has disappeared; the heading brings the changed prices into view.
    if (changeCount > 0) heading.current?.focus()
  }, [changeCount])
  const handleDone = () => {
    choice.clear()
    setChangeCount(changeCount + 1)
  }
  return (
    <>
      <PriceSearch filter={filter} categories={categories} />
      <section aria-labelledby="prices-heading" className="mt-8">
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
          <h2 id="prices-heading" ref={heading} tabIndex={-1} className="scroll-mt-20 text-xl font-semibold">
            {copy['price.list']}
          </h2>
          {filter.search === '' && filter.category === null ? null : (
            <ButtonLink look="quiet" to={adminPaths.pricing} className="-mr-4">
              {copy['price.reset']}
            </ButtonLink>
          )}
        </div>
        {courses.length === 0 ? (
          <EmptyState drawing="search" title={copy['price.none.title']} hint={copy['price.none']} />
        ) : (
          <ChoosableCourses courses={courses} choice={choice} />
        )}
        <Paging
          back={filter.after === null ? null : { to: pageAt(filter, null), label: copy['price.first'] }}
          on={next === null ? null : { to: pageAt(filter, next), label: copy['price.next'] }}
        />
      </section>
      {choice.count === 0 ? null : <PriceChangeForm which={choice.which} onDone={handleDone} />}
    </>
  )
}

/** The chosen courses: some by id, over several pages, or all that the filter matches. */
function useCourseChoice({ courses, count }: Priced, { search, category }: PriceFilter) {
  const [ids, setIds] = useState<readonly string[]>([])
  const [isAll, setAll] = useState(false)
  const pageIds = courses.map(({ id }) => id)
  const choose = (changed: readonly string[], isOn: boolean) => {
    const others = ids.filter((id) => !changed.includes(id))
    setIds(isOn ? [...others, ...changed] : others)
  }
  const which: PricesForm['which'] = isAll ? { kind: 'all', search, category } : { kind: 'some', ids: [...ids] }
  return {
    which,
    isAll,
    setAll,
    isWholePage: isAll || pageIds.every((id) => ids.includes(id)),
    choosePage: (isOn: boolean) => choose(pageIds, isOn),
    choose,
    has: (id: string) => isAll || ids.includes(id),
    count: isAll ? count : ids.length,
    listCount: count,
    clear() {
      setIds([])
      setAll(false)
    },
  }
}

type CourseChoice = ReturnType<typeof useCourseChoice>

function ChoosableCourses({ courses, choice }: { courses: readonly PricedCourse[]; choice: CourseChoice }) {
  return (
    <>
      <ChoiceBar choice={choice} />
      <ListTable
        label={copy['price.list']}
        columns={[{ name: copy['price.column.course'] }, { name: copy['price.column.price'], isNumber: true }]}
      >
        {courses.map((course) => (
          <CourseRow
            key={course.id}
            course={course}
            isOn={choice.has(course.id)}
            isFixed={choice.isAll}
            onChange={(isOn) => choice.choose([course.id], isOn)}
          />
        ))}
      </ListTable>
    </>
  )
}

function PriceSearch({ filter, categories }: { filter: PriceFilter; categories: readonly Category[] }) {
  return (
    <FilterForm action={copy['price.find']}>
      <Field
        label={copy['price.search']}
        name="search"
        type="search"
        autoComplete="off"
        maxLength={200}
        defaultValue={filter.search}
        className={filterField.wide}
      />
      <SelectField
        label={copy['price.category']}
        name="category"
        defaultValue={filter.category ?? ''}
        className={filterField.narrow}
      >
        <option value="">{copy['price.category.all']}</option>
        {categories.map((category) => (
          <option key={category} value={category}>
            {copy[`price.level.${category}`]}
          </option>
        ))}
      </SelectField>
    </FilterForm>
  )
}

function ChoiceBar({ choice }: { choice: CourseChoice }) {
  return (
    <div className="flex flex-wrap items-center gap-x-6 text-sm">
      <Choice
        type="checkbox"
        checked={choice.isWholePage}
        disabled={choice.isAll}
        onChange={(event) => choice.choosePage(event.target.checked)}
      >
        {copy['price.choose.page']}
      </Choice>
      <Choice type="checkbox" checked={choice.isAll} onChange={(event) => choice.setAll(event.target.checked)}>
        {fill(copy['price.choose.all'], { n: choice.listCount })}
      </Choice>
      <span className="nums inline-flex min-h-11 items-center text-soft" aria-live="polite">
        {fill(copy['price.chosen'], { n: choice.count })}
      </span>
      {choice.count === 0 ? null : (
        <a
          href="#price-change"
          className="inline-flex min-h-11 items-center font-semibold text-accent underline underline-offset-2"
        >
          {copy['price.change']}
        </a>
      )}
    </div>
  )
}

/** Shows the price as learners see it: an earlier price is struck through only where they see one too. */
function CourseRow({
  course,
  isOn,
  isFixed,
  onChange,
}: {
  course: PricedCourse
  isOn: boolean
  isFixed: boolean
  onChange: (isOn: boolean) => void
}) {
  const { title, status, priceCents, wasCents } = course
  return (
    <ListRow
      isOneLine
      about={
        <div className="flex items-start gap-4">
          <input
            type="checkbox"
            aria-label={fill(copy['price.choose'], { title })}
            className="mt-1 size-5 shrink-0"
            checked={isOn}
            disabled={isFixed}
            onChange={(event) => onChange(event.target.checked)}
          />
          {/* Aligns the price with the title. */}
          <div className="min-w-0 flex-1 self-baseline">
            <Link to={adminPaths.prices(course.id)} className="font-semibold hover:underline">
              {title}
            </Link>
            {status === 'published' ? null : (
              <span className="ml-2 rounded-sm bg-sunken px-1.5 py-0.5 text-xs font-semibold text-soft">
                {copy[`price.${status}`]}
              </span>
            )}
            {course.scheduledPrices.map((scheduledPrice) => (
              <ScheduledPriceLine key={scheduledPrice.id} scheduledPrice={scheduledPrice} course={course} />
            ))}
          </div>
        </div>
      }
    >
      <Cell isNumber>
        {wasCents === null ? null : (
          <del className="mr-2 font-normal text-soft max-sm:mr-0 max-sm:block">{formatDollars(wasCents as Cents)}</del>
        )}
        {formatDollars(priceCents as Cents)}
      </Cell>
    </ListRow>
  )
}

function ScheduledPriceLine({ scheduledPrice, course }: { scheduledPrice: ScheduledPriceView; course: PricedCourse }) {
  const { title, regularCents, wasCents } = course
  const what = describeScheduledPrice(scheduledPrice, regularCents)
  return (
    <div className="nums flex flex-wrap items-center gap-x-3 text-sm text-soft">
      <span>{scheduledPrice.state === 'running' ? `${what}. ${describeWas(wasCents)}` : what}</span>
      <CancelScheduledPrice scheduledPrice={scheduledPrice} title={title} what={what} />
    </div>
  )
}

function pageAt({ search, category }: PriceFilter, after: string | null): string {
  return withQuery(adminPaths.pricing, { search, category, after })
}
