import { parseDollars, type Cents } from '../../lib/money.ts'
import { isBlank, lengthOf } from '../../lib/text.ts'
import { copy } from './catalogue.copy.ts'

/** A title has fewer characters than this. */
export const TITLE_LIMIT = 200
/** A description has fewer characters than this. */
export const DESCRIPTION_LIMIT = 2000
/** The bounds of a price, both included. */
export const PRICE_MIN_CENTS = 0
export const PRICE_MAX_CENTS = 999_999
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

/** The problem of a title; null when it is valid. */
export function titleProblem(title: string): string | null {
  const text = title.trim()
  if (isBlank(text)) return copy['validate.title.required']
  if (lengthOf(text) >= TITLE_LIMIT) return copy['validate.title.length']
  if (/[<>]/.test(text)) return copy['validate.title.chars']
  return null
}

/** The problem of a description; null when it is valid. */
export function descriptionProblem(description: string): string | null {
  return lengthOf(description.trim()) >= DESCRIPTION_LIMIT ? copy['validate.description.length'] : null
}

/** The description to store: 'No description' when it is empty. */
export function storedDescription(description: string): string {
  const text = description.trim()
  return isBlank(text) ? copy['course.description.default'] : text
}

type PriceJudgement =
  { readonly kind: 'price'; readonly priceCents: Cents } | { readonly kind: 'refused'; readonly sentence: string }

/** Validates a price in dollars: 0 to 9999.99, rounded to two decimals. */
export function judgePrice(value: string | number): PriceJudgement {
  const isNumber = typeof value === 'number' ? !Number.isNaN(value) : /^-?\d+(\.\d+)?$/.test(value.trim())
  // A number with too many digits becomes Infinity, which is above the limit.
  const number = Number(value)
  if (!isNumber) return { kind: 'refused', sentence: copy['validate.price.form'] }
  if (number < 0) return { kind: 'refused', sentence: copy['validate.price.negative'] }
  if (number > PRICE_MAX_CENTS / 100) return { kind: 'refused', sentence: copy['validate.price.max'] }
  const priceCents = parseDollars(number.toFixed(2))
  return priceCents === null
    ? { kind: 'refused', sentence: copy['validate.price.form'] }
    : { kind: 'price', priceCents }
}

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

/** The title of a copy. A long title is shortened, so that the mark fits. */
export function copyTitle(title: string): string {
  const suffix = ' (copy)'
  const start = [...title].slice(0, TITLE_LIMIT - 1 - suffix.length).join('')
  return `${start.trimEnd()}${suffix}`
}
