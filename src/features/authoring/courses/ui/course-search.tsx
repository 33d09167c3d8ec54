import { useRef } from 'react'
import { useSubmit } from 'react-router'
import { Field } from '../../../../ui/field.tsx'
import { FilterForm, filterField } from '../../../../ui/filter-form.tsx'
import { Paging } from '../../../../ui/pagination.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { CATEGORIES, categoryLabel } from '../../../catalogue/catalogue.ts'
import type { AdminCourses, CourseFilter } from '../../../catalogue/catalogue.schema.ts'

export const sortNames = {
  changed: 'latest change first',
  title: 'by title',
  price: 'dearest first',
  exams: 'most exams first',
} as const satisfies Record<CourseFilter['sort'], string>

/** Three of them stand beside the words. */
const courseField = 'min-w-0 grow basis-40 desktop:grow-0 desktop:basis-44'

/** The filter of the admin's course list, in the URL: words, status, level and order. */
export function CourseSearch({ wanted }: { wanted: CourseFilter }) {
  const form = useRef<HTMLFormElement>(null)
  const submit = useSubmit()
  const handleChoice = () => void submit(form.current, { preventScrollReset: true, state: { keepsFocus: true } })
  return (
    <FilterForm ref={form} aria-label="Courses" preventScrollReset state={{ keepsFocus: true }} action="Search">
      <Field
        key={wanted.search}
        label="Title, address or code"
        name="search"
        type="search"
        defaultValue={wanted.search}
        maxLength={100}
        className={filterField.wide}
      />
      <SelectField label="State" name="status" value={wanted.status} onChange={handleChoice} className={courseField}>
        <option value="all">All</option>
        <option value="published">Published</option>
        <option value="draft">Draft</option>
        <option value="withdrawn">Withdrawn</option>
      </SelectField>
      <SelectField label="Level" name="level" value={wanted.level} onChange={handleChoice} className={courseField}>
        <option value="all">All levels</option>
        {CATEGORIES.map((name) => (
          <option key={name} value={name}>
            {categoryLabel[name]}
          </option>
        ))}
        <option value="none">None</option>
      </SelectField>
      <SelectField label="Order" name="sort" value={wanted.sort} onChange={handleChoice} className={courseField}>
        <option value="changed">Latest change</option>
        <option value="title">Title</option>
        <option value="price">Price</option>
        <option value="exams">Exams</option>
      </SelectField>
    </FilterForm>
  )
}

export function CoursePages({ listed, search }: { listed: AdminCourses; search: string }) {
  const { page, pageCount } = listed
  const to = (next: number) => {
    const params = new URLSearchParams(search)
    params.set('page', String(next))
    return `?${params}`
  }
  return (
    <Paging
      label="Pages of courses"
      back={page > 1 ? { to: to(page - 1), label: 'Previous page' } : null}
      status={`Page ${page} of ${pageCount}`}
      on={page < pageCount ? { to: to(page + 1), label: 'Next page' } : null}
    />
  )
}
