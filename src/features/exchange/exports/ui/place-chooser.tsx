import { useState } from 'react'
import { Form, useNavigate, useSearchParams } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { EmptyState } from '../../../../ui/page-parts.tsx'
import { Paging } from '../../../../ui/pagination.tsx'
import type { AdminCourseView, AdminCourses } from '../../../catalogue/catalogue.schema.ts'
import { copy } from '../exports.copy.ts'
import { withPlace } from '../exports-client.ts'
import type { ExportSubject } from '../exports.schema.ts'
import { counted } from '../../../../lib/text.ts'

// The selection is in the URL; following such a link keeps the scroll position and the focus.
const samePage = { preventScrollReset: true, state: { keepsFocus: true } } as const

/** Searches courses and selects several of them, or single exams of theirs. */
export function PlaceChooser({
  listed,
  search,
  chosen,
}: {
  listed: AdminCourses
  search: string
  chosen: readonly ExportSubject[]
}) {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const ids = new Set(chosen.map(({ id }) => id))
  const handleChoice = (kind: 'course' | 'exam', id: string) =>
    void navigate(`?${withPlace(query, chosen, { kind, id })}`, { ...samePage, replace: true })
  const otherParams = [...query].filter(([name]) => name !== 'search' && name !== 'page')
  const pageLink = (page: number) =>
    `?${new URLSearchParams([...otherParams, ['search', search], ['page', String(page)]])}`
  return (
    <>
      <SearchForm search={search} otherParams={otherParams} />
      <p className="nums mt-3 text-sm text-soft" role="status">
        {fill(copy['export.search.found'], { courses: counted(listed.foundCount, 'course') })}
      </p>
      {listed.courses.length === 0 ? (
        <div className="mt-3">
          <EmptyState drawing="search" title={copy['export.search.none']} hint={copy['export.search.none.hint']} />
        </div>
      ) : (
        <ul className="mt-3 divide-y divide-line border-y border-line">
          {listed.courses.map((course) => (
            <CourseChoice key={course.id} course={course} chosen={ids} onChoose={handleChoice} />
          ))}
        </ul>
      )}
      <Paging
        label={copy['export.pages']}
        back={listed.page > 1 ? { to: pageLink(listed.page - 1), label: copy['export.pages.previous'] } : null}
        status={fill(copy['export.pages.at'], { page: listed.page, pages: listed.pageCount })}
        on={listed.page < listed.pageCount ? { to: pageLink(listed.page + 1), label: copy['export.pages.next'] } : null}
        preventScrollReset
      />
    </>
  )
}

function SearchForm({ search, otherParams }: { search: string; otherParams: readonly [string, string][] }) {
  return (
    <Form
      role="search"
      aria-label={copy['export.search']}
      className="mt-3 flex flex-wrap items-end gap-3"
      {...samePage}
    >
      {otherParams.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Field
        key={search}
        label={copy['export.search']}
        name="search"
        type="search"
        defaultValue={search}
        maxLength={100}
        className="w-full max-w-100"
      />
      <Button type="submit" look="secondary">
        {copy['export.search.go']}
      </Button>
    </Form>
  )
}

function CourseChoice({
  course,
  chosen,
  onChoose,
}: {
  course: AdminCourseView
  chosen: ReadonlySet<string>
  onChoose: (kind: 'course' | 'exam', id: string) => void
}) {
  const questions = course.exams.reduce((sum, { questionCount }) => sum + questionCount, 0)
  const isChosen = chosen.has(course.id)
  return (
    <li className="py-1">
      <Choice
        label={course.title}
        about={fill(copy['export.course.about'], {
          exams: counted(course.exams.length, 'exam'),
          questions: counted(questions, 'question'),
        })}
        isOn={isChosen}
        isDisabled={questions === 0}
        onChange={() => onChoose('course', course.id)}
      />
      {isChosen || course.exams.length === 0 ? null : (
        <details open={course.exams.some(({ id }) => chosen.has(id))} className="ml-8">
          <summary className="inline-flex min-h-8 cursor-pointer items-center text-sm font-semibold text-accent">
            {copy['export.course.exams']}
          </summary>
          <ul>
            {course.exams.map(({ id, title, questionCount }) => (
              <li key={id}>
                <Choice
                  label={title}
                  about={counted(questionCount, 'question')}
                  isOn={chosen.has(id)}
                  isDisabled={false}
                  onChange={() => onChoose('exam', id)}
                />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

function Choice({
  label,
  about,
  isOn,
  isDisabled,
  onChange,
}: {
  label: string
  about: string
  isOn: boolean
  isDisabled: boolean
  onChange: () => void
}) {
  // Ticks at once; the loaded page then decides.
  const [lastIsOn, setLastIsOn] = useState(isOn)
  const [isTicked, setTicked] = useState(isOn)
  if (lastIsOn !== isOn) {
    setLastIsOn(isOn)
    setTicked(isOn)
  }
  const handleChange = () => {
    setTicked(!isTicked)
    onChange()
  }
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 py-1">
      <input
        type="checkbox"
        checked={isTicked}
        disabled={isDisabled && !isOn}
        onChange={handleChange}
        className="size-5 shrink-0"
      />
      <span className="min-w-0 wrap-anywhere">
        {label} <span className="nums text-sm text-soft">{about}</span>
      </span>
    </label>
  )
}
