import { useEffect, useRef, type MouseEvent } from 'react'
import { Form, Link, useNavigate } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { copy } from '../catalogue.copy.ts'
import { CATEGORIES, categoryLabel, SEARCH_MAX, writeCourseSearch, type CourseSearch } from '../catalogue.ts'

// A search changes the list on the same page, so focus and scroll position stay.
const samePage = { replace: true, preventScrollReset: true, state: { keepsFocus: true } } as const

/** A pause in typing after which the server searches. */
const TYPING_PAUSE_MS = 250

/**
 * The search and level of the list. Both are in the address, so that the form and the links work without JavaScript. The server searches
 * after a pause in typing, because searches are limited; the browser searches with each letter.
 */
export function CourseFilter({ search, isOnServer }: { search: CourseSearch; isOnServer: boolean }) {
  const { field, handleType, handleLevel, endPause } = useCourseSearch(search, isOnServer)
  return (
    <div className="mt-5 flex flex-col gap-3 desktop:flex-row desktop:items-center desktop:justify-between">
      <Form
        method="get"
        action={paths.home}
        role="search"
        className="flex w-full max-w-[440px] gap-2"
        onSubmit={endPause}
        {...samePage}
      >
        {search.category === null ? null : <input type="hidden" name="level" value={search.category} />}
        <input
          ref={field}
          type="search"
          name="q"
          aria-label={copy['home.search']}
          placeholder={copy['home.search']}
          defaultValue={search.text}
          maxLength={SEARCH_MAX}
          autoComplete="off"
          onChange={(event) => handleType(event.target.value.trim())}
          className="min-h-11 w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 py-2 text-base text-ink placeholder:text-soft"
        />
        <Button type="submit" look="secondary">
          {copy['home.search.submit']}
        </Button>
      </Form>
      <LevelLinks search={search} onChoose={handleLevel} />
    </div>
  )
}

/** Shows the courses of a new search in the same list. */
function useCourseSearch(search: CourseSearch, isOnServer: boolean) {
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const pause = useRef<number>(undefined)
  useEffect(() => () => window.clearTimeout(pause.current), [])
  useEffect(() => {
    // The field is uncontrolled: after the history or a link has changed the search in the address, update its text.
    const input = field.current
    if (input !== null && input !== document.activeElement) input.value = search.text
  }, [search.text])
  const show = (next: CourseSearch) => void navigate(`${paths.home}${writeCourseSearch(next)}`, samePage)
  const endPause = () => {
    window.clearTimeout(pause.current)
    pause.current = undefined
  }
  const handleType = (text: string) => {
    endPause()
    if (!isOnServer) return show({ ...search, text })
    pause.current = window.setTimeout(() => {
      endPause()
      show({ ...search, text })
    }, TYPING_PAUSE_MS)
  }
  /** A level that is chosen within the pause applies to the text that was just typed. */
  const handleLevel = (event: MouseEvent, category: CourseSearch['category']) => {
    if (pause.current === undefined) return
    endPause()
    event.preventDefault()
    show({ ...search, text: field.current?.value.trim() ?? '', category })
  }
  return { field, handleType, handleLevel, endPause }
}

function LevelLinks({
  search,
  onChoose,
}: {
  search: CourseSearch
  onChoose: (event: MouseEvent, category: CourseSearch['category']) => void
}) {
  return (
    <nav
      aria-label={copy['home.level']}
      className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 desktop:mx-0 desktop:px-0"
    >
      {[null, ...CATEGORIES].map((category) => (
        <Link
          key={category ?? 'all'}
          to={`${paths.home}${writeCourseSearch({ ...search, category })}`}
          {...samePage}
          onClick={(event) => onChoose(event, category)}
          aria-current={search.category === category ? 'true' : undefined}
          className="inline-flex min-h-11 items-center rounded-full border border-line-strong bg-surface px-4 text-sm font-medium whitespace-nowrap hover:bg-sunken aria-[current=true]:border-accent aria-[current=true]:bg-accent-soft aria-[current=true]:text-accent"
        >
          {category === null ? copy['home.level.all'] : categoryLabel[category]}
        </Link>
      ))}
    </nav>
  )
}
