import { useEffect, useRef, useState } from 'react'
import { Form, Link } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { formatDollars, type Cents } from '../../../../lib/money.ts'
import { paths } from '../../../../lib/paths.ts'
import { Choice } from '../../../../ui/choice.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
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

/** Courses with what they cost and what is planned, to be chosen for a change. */
export function PriceList({
  priced,
  wanted,
  categories,
}: {
  priced: Priced
  wanted: PriceFilter
  categories: readonly NonNullable<PriceFilter['category']>[]
}) {
  const [ids, setIds] = useState<readonly string[]>([])
  const [isAll, setAll] = useState(false)
  const { courses, count, next } = priced
  const { search, category } = wanted
  const isWholePage = courses.every(({ id }) => ids.includes(id))
  const chosen = isAll ? count : ids.length
  const which: PricesForm['which'] = isAll ? { kind: 'all', search, category } : { kind: 'some', ids: [...ids] }
  const choosePage = (isOn: boolean) => {
    const page = courses.map(({ id }) => id)
    const others = ids.filter((id) => !page.includes(id))
    setIds(isOn ? [...others, ...page] : others)
  }
  const isFiltered = search !== '' || category !== null
  const heading = useRef<HTMLHeadingElement>(null)
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    // Outside: the focus. The form is gone, and what was changed comes into sight.
    if (changes > 0) heading.current?.focus()
  }, [changes])
  const handleDone = () => {
    setIds([])
    setAll(false)
    setChanges(changes + 1)
  }
  return (
    <>
      <Form role="search" className="mt-6 grid items-start gap-4 sm:grid-cols-[1fr_220px_auto]">
        <Field
          label={copy['price.search']}
          name="search"
          type="search"
          autoComplete="off"
          maxLength={200}
          defaultValue={search}
        />
        <SelectField label={copy['price.category']} name="category" defaultValue={category ?? ''}>
          <option value="">{copy['price.category.all']}</option>
          {categories.map((one) => (
            <option key={one} value={one}>
              {copy[`price.level.${one}`]}
            </option>
          ))}
        </SelectField>
        <Button type="submit" look="secondary" className="sm:mt-6">
          {copy['price.find']}
        </Button>
      </Form>
      <section aria-labelledby="prices-heading" className="mt-8">
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
          <h2 id="prices-heading" ref={heading} tabIndex={-1} className="scroll-mt-20 text-xl font-semibold">
            {copy['price.list']}
          </h2>
          {isFiltered ? (
            <ButtonLink look="quiet" to={paths.adminPricing} className="-mr-4">
              {copy['price.reset']}
            </ButtonLink>
          ) : null}
        </div>
        {courses.length === 0 ? (
          <EmptyState title={copy['price.none.title']} hint={copy['price.none']} />
        ) : (
          <>
            <div className="flex flex-wrap items-center gap-x-6 text-sm">
              <Choice
                type="checkbox"
                checked={isAll || isWholePage}
                disabled={isAll}
                onChange={(event) => choosePage(event.target.checked)}
              >
                {copy['price.choose.page']}
              </Choice>
              <Choice type="checkbox" checked={isAll} onChange={(event) => setAll(event.target.checked)}>
                {fill(copy['price.choose.all'], { n: count })}
              </Choice>
              <span className="nums inline-flex min-h-11 items-center text-soft" aria-live="polite">
                {fill(copy['price.chosen'], { n: chosen })}
              </span>
              {chosen === 0 ? null : (
                <a
                  href="#price-change"
                  className="inline-flex min-h-11 items-center font-semibold text-accent underline underline-offset-2"
                >
                  {copy['price.change']}
                </a>
              )}
            </div>
            <ListTable
              label={copy['price.list']}
              columns={[{ name: copy['price.column.course'] }, { name: copy['price.column.price'], isNumber: true }]}
            >
              {courses.map((course) => (
                <CourseRow
                  key={course.id}
                  course={course}
                  isOn={isAll || ids.includes(course.id)}
                  isFixed={isAll}
                  onChange={(isOn) => setIds(isOn ? [...ids, course.id] : ids.filter((id) => id !== course.id))}
                />
              ))}
            </ListTable>
          </>
        )}
        <Paging
          back={wanted.after === null ? null : { to: pageAt(wanted, null), label: copy['price.first'] }}
          on={next === null ? null : { to: pageAt(wanted, next), label: copy['price.next'] }}
        />
      </section>
      {chosen === 0 ? null : <PriceChangeForm which={which} onDone={handleDone} />}
    </>
  )
}

/** What learners see: the price, and another struck through only where they see one. */
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
            className="mt-1 size-5 shrink-0 accent-accent"
            checked={isOn}
            disabled={isFixed}
            onChange={(event) => onChange(event.target.checked)}
          />
          {/* The price stands on the line of the title. */}
          <div className="min-w-0 flex-1 self-baseline">
            <Link to={paths.adminPrices(course.id)} className="font-semibold hover:underline">
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
  return withQuery(paths.adminPricing, { search, category, after })
}
