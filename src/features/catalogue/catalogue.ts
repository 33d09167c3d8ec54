import { copy } from './catalogue.copy.ts'

/** Columns of the home page's grid on the widest screens. */
export const GRID_COLUMNS = 5

export const CATEGORIES = ['practitioner', 'associate', 'professional', 'specialty'] as const
export type Category = (typeof CATEGORIES)[number]

export const categoryLabel = {
  practitioner: copy['category.practitioner'],
  associate: copy['category.associate'],
  professional: copy['category.professional'],
  specialty: copy['category.specialty'],
} as const satisfies Record<Category, string>

export type ExamAction = 'try' | 'start' | 'buy' | 'renew'

/** The action of an exam on a course page: start it with access, try a free trial, or else buy or renew the course. */
export function examAction(
  exam: { readonly isFreeTrial: boolean },
  access: 'running' | 'ended' | 'none' | 'admin',
): ExamAction {
  if (access === 'running' || access === 'admin') return 'start'
  if (exam.isFreeTrial) return 'try'
  return access === 'ended' ? 'renew' : 'buy'
}

/** The longest search text, in characters; more is cut off. */
export const SEARCH_MAX = 100

export type CourseSearch = { readonly text: string; readonly category: Category | null }

/** The search of an address: `?q=` words and `?level=` a category. Invalid values are ignored. */
export function readCourseSearch(params: { get(name: string): string | null }): CourseSearch {
  const level = params.get('level')
  return {
    text: (params.get('q') ?? '').trim().slice(0, SEARCH_MAX),
    category: CATEGORIES.find((category) => category === level) ?? null,
  }
}

/** Courses per page of the home page's list. It fills whole rows for 1 to 5 columns. */
export const CARDS_ON_PAGE = 60

/** The number in `?page=`; 1 when it is missing or invalid. */
export function readPage(params: { get(name: string): string | null }): number {
  const text = params.get('page') ?? ''
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1
}

/** The query string of a search and page; empty for the first page of all courses. */
export function writeCourseSearch({ text, category }: CourseSearch, page = 1): string {
  const query = [
    ...(text === '' ? [] : [`q=${encodeURIComponent(text)}`]),
    ...(category === null ? [] : [`level=${category}`]),
    ...(page === 1 ? [] : [`page=${page}`]),
  ]
  return query.length === 0 ? '' : `?${query.join('&')}`
}

type Findable = {
  readonly title: string
  readonly description: string
  readonly code: string | null
  readonly category: Category | null
}

/** The courses that contain every word of the search, ignoring case and accents, in their given order. */
export function findCourses<Course extends Findable>(courses: readonly Course[], search: CourseSearch): Course[] {
  const fits = fitsSearch(search)
  return courses.filter((course) => fits({ category: course.category, words: wordsOf(course) }))
}

/** The normalized text of a course that a search compares. */
export function wordsOf({ title, description, code, category }: Findable): string {
  const label = category === null ? '' : categoryLabel[category]
  return plain(`${title} ${code ?? ''} ${label} ${description}`)
}

/** A predicate for the courses that match a search. */
export function fitsSearch(search: CourseSearch) {
  const searched = plain(search.text).split(/\s+/).filter(Boolean)
  return ({ category, words }: { readonly category: Category | null; readonly words: string }): boolean =>
    (search.category === null || category === search.category) && searched.every((word) => words.includes(word))
}

function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** Courses per page of the admin's list. */
export const COURSES_ON_PAGE = 50
