import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { copy } from '../copy.ts'
import { writeCourseSearch, type CourseSearch } from '../rules.ts'
import type { HomeCourses } from '../schema.ts'

/** The way through a list that is longer than a page; plain links, to the beginning of the list. */
export function HomePages({ list, search }: { list: HomeCourses; search: CourseSearch }) {
  const { page, pageCount } = list
  if (pageCount === 1) return null
  const to = (number: number) => `${paths.home}${writeCourseSearch(search, number)}#courses`
  return (
    <nav
      aria-label={copy['home.pages']}
      className="mt-8 grid grid-cols-[1fr_auto_1fr] items-center gap-4 border-t border-line pt-6"
    >
      {page > 1 ? (
        <ButtonLink to={to(page - 1)} rel="prev" look="secondary" className="justify-self-start">
          {copy['home.pages.previous']}
        </ButtonLink>
      ) : (
        <span />
      )}
      <span className="nums text-sm text-soft">{fill(copy['home.pages.here'], { page, pages: pageCount })}</span>
      {page < pageCount ? (
        <ButtonLink to={to(page + 1)} rel="next" look="secondary" className="justify-self-end">
          {copy['home.pages.next']}
        </ButtonLink>
      ) : null}
    </nav>
  )
}
