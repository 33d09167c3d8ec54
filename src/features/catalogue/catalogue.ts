import { parseDollars, type Cents } from '../../lib/money.ts'
import { isBlank, lengthOf } from '../../lib/text.ts'
import { copy } from './catalogue.copy.ts'

/** Spec 9: a title is shorter than this. */
export const TITLE_LIMIT = 200
/** Spec 9: a description is shorter than this. */
export const DESCRIPTION_LIMIT = 2000
/** Spec 9: the price's bounds. */
export const PRICE_MIN_CENTS = 0
export const PRICE_MAX_CENTS = 999_999
/** Spec 2: the home grid at its widest. */
export const GRID_COLUMNS = 5

export const CATEGORIES = ['practitioner', 'associate', 'professional', 'specialty'] as const
export type Category = (typeof CATEGORIES)[number]

export const categoryLabel = {
  practitioner: copy['category.practitioner'],
  associate: copy['category.associate'],
  professional: copy['category.professional'],
  specialty: copy['category.specialty'],
} as const satisfies Record<Category, string>

/** Spec 5. Null when the title may be used. */
export function titleProblem(title: string): string | null {
  const text = title.trim()
  if (isBlank(text)) return copy['validate.title.required']
  if (lengthOf(text) >= TITLE_LIMIT) return copy['validate.title.length']
  if (/[<>]/.test(text)) return copy['validate.title.chars']
  return null
}

/** Spec 5. Null when the description may be used. */
export function descriptionProblem(description: string): string | null {
  return lengthOf(description.trim()) >= DESCRIPTION_LIMIT ? copy['validate.description.length'] : null
}

/** Spec 3: saved as 'No description' when empty. */
export function storedDescription(description: string): string {
  const text = description.trim()
  return isBlank(text) ? copy['course.description.default'] : text
}

export type PriceJudgement =
  { readonly kind: 'price'; readonly priceCents: Cents } | { readonly kind: 'refused'; readonly sentence: string }

/** Spec 5: not negative, at most 9999.99, rounded to 2 decimals. */
export function judgePrice(value: string | number): PriceJudgement {
  const isNumber = typeof value === 'number' ? !Number.isNaN(value) : /^-?\d+(\.\d+)?$/.test(value.trim())
  // A number of ten thousand digits is infinite to the machine, and too high for the shop.
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

/** What an exam on a course page offers: an accessible one starts, a free trial can be tried, others say what unlocks them. */
export function examAction(
  exam: { readonly isFreeTrial: boolean },
  access: 'running' | 'ended' | 'none' | 'admin',
): ExamAction {
  if (access === 'running' || access === 'admin') return 'start'
  if (exam.isFreeTrial) return 'try'
  return access === 'ended' ? 'renew' : 'buy'
}

/** As much of a search as is looked at. */
export const SEARCH_MAX = 100

export type CourseSearch = { readonly text: string; readonly category: Category | null }

/** What an address asks for: `?q=` some words, `?level=` a category. What does not fit is as if it were not there. */
export function readCourseSearch(params: { get(name: string): string | null }): CourseSearch {
  const level = params.get('level')
  return {
    text: (params.get('q') ?? '').trim().slice(0, SEARCH_MAX),
    category: CATEGORIES.find((category) => category === level) ?? null,
  }
}

/** So many courses stand on a page of the home's list: whole rows, however many columns there are. */
export const CARDS_ON_PAGE = 60

/** `?page=`: the first, where it says anything that is no page. */
export function readPage(params: { get(name: string): string | null }): number {
  const text = params.get('page') ?? ''
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1
}

/** The address's other half: empty when everything is wanted, from the beginning. */
export function writeCourseSearch({ text, category }: CourseSearch, page = 1): string {
  const asked = [
    ...(text === '' ? [] : [`q=${encodeURIComponent(text)}`]),
    ...(category === null ? [] : [`level=${category}`]),
    ...(page === 1 ? [] : [`page=${page}`]),
  ]
  return asked.length === 0 ? '' : `?${asked.join('&')}`
}

type Findable = {
  readonly title: string
  readonly description: string
  readonly code: string | null
  readonly category: Category | null
}

/** The courses that hold every word of the search, whatever its case and accents, in the order of the list. */
export function findCourses<Course extends Findable>(courses: readonly Course[], search: CourseSearch): Course[] {
  const fits = fitsSearch(search)
  return courses.filter((course) => fits({ category: course.category, words: wordsOf(course) }))
}

/** What of a course is searched, as it is compared. */
export function wordsOf({ title, description, code, category }: Findable): string {
  const label = category === null ? '' : categoryLabel[category]
  return plain(`${title} ${code ?? ''} ${label} ${description}`)
}

/** Whether a course with such words is one of those that are searched for. */
export function fitsSearch(search: CourseSearch) {
  const asked = plain(search.text).split(/\s+/).filter(Boolean)
  return ({ category, words }: { readonly category: Category | null; readonly words: string }): boolean =>
    (search.category === null || category === search.category) && asked.every((word) => words.includes(word))
}

function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** So many courses stand on a page of the admin's list. */
export const COURSES_ON_PAGE = 50

/** The copy's title: what does not fit any more goes from the end of the original's. */
export function copyTitle(title: string): string {
  const mark = ' (copy)'
  const kept = [...title].slice(0, TITLE_LIMIT - 1 - mark.length).join('')
  return `${kept.trimEnd()}${mark}`
}
