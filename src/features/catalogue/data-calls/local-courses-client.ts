import type { CourseCardView, CourseView } from '../catalogue.schema.ts'
import {
  CLEAR_RELOAD_MS,
  fromLocal,
  fromLocalExams,
  shorterLists,
  toLocal,
  toLocalExams,
  unsavedIn,
} from './local-courses.ts'
import { LOCAL_VERSION, StoredCourses, StoredExams, type UnsavedCourse } from './local-courses.schema.ts'

/** The keys in local storage, as the specification names them. */
const COURSES = 'courses'
const EXAMS = 'exams'
/** Courses without a row have their own key, so that a newer list does not overwrite them. */
const UNSAVED = 'courses_unsaved'

/** The list of the last visit; null when there is no valid one. */
export function readStoredCourses(): CourseCardView[] | null {
  const value = read(COURSES)
  if (value === null) return null
  const parsed = StoredCourses.safeParse(value)
  if (parsed.success) return parsed.data.courses.map(fromLocal)
  console.warn('The stored courses were ignored:', parsed.error.issues[0]?.message)
  return null
}

/** Stores the list for the next visit. Courses without a row are moved to their own key first. */
export function storeCourses(courses: readonly CourseCardView[]): void {
  persistUnsaved()
  const local = courses.map(toLocal)
  if (JSON.stringify((read(COURSES) as { courses?: unknown } | null)?.courses) === JSON.stringify(local)) return
  for (const list of shorterLists(local)) {
    if (write(COURSES, { version: LOCAL_VERSION, courses: list })) return
    // When the storage is full, exams are dropped first, then the oldest courses.
    localStorage.removeItem(EXAMS)
    if (write(COURSES, { version: LOCAL_VERSION, courses: list })) return
  }
  console.warn('This browser has no room for the list of courses.')
}

/** Stores the exams of a course, next to those of other courses. */
export function storeExams(course: Pick<CourseView, 'id' | 'exams'>): void {
  const stored = StoredExams.safeParse(read(EXAMS))
  const exams = toLocalExams(course)
  const others = stored.success ? stored.data.exams.filter((exam) => exam.courseId !== exams[0]?.courseId) : []
  for (const list of shorterLists([...exams, ...others]))
    if (write(EXAMS, { version: LOCAL_VERSION, exams: list })) return
}

/** A course of the last visit by its slug or id. Its exams are missing if they were not stored. */
export function findStoredCourse(slugOrId: string): CourseView | null {
  const card = readStoredCourses()?.find(({ id, slug }) => id === slugOrId || slug === slugOrId.toLowerCase())
  if (card === undefined) return null
  const stored = StoredExams.safeParse(read(EXAMS))
  const exams = stored.success ? fromLocalExams(stored.data.exams, card.id) : []
  return { ...card, blueprint: null, updatedAt: '', exams }
}

/** Clears both lists at sign-out. Courses without a row stay, because they exist nowhere else. */
export function clearStored(): void {
  persistUnsaved()
  for (const key of [COURSES, EXAMS]) localStorage.removeItem(key)
  dispatchEvent(new StorageEvent('storage', { key: COURSES }))
}

/**
 * Listens for a list stored by another tab, and, after CLEAR_RELOAD_MS, for cleared lists in any tab. Returns a function that stops
 * listening.
 */
export function onStored(changed: () => void, cleared: () => void): () => void {
  let timer: number | undefined
  const handle = ({ key, newValue }: StorageEvent) => {
    if (key !== null && key !== COURSES) return
    window.clearTimeout(timer)
    if (newValue === null) timer = window.setTimeout(cleared, CLEAR_RELOAD_MS)
    else changed()
  }
  // The browser fires `storage` for changes by other tabs only.
  addEventListener('storage', handle)
  return () => {
    window.clearTimeout(timer)
    removeEventListener('storage', handle)
  }
}

/** The courses of this browser that have no row on the server. */
export function readUnsaved(): UnsavedCourse[] {
  return [...unsavedIn(read(UNSAVED)), ...unsavedIn(read(COURSES))]
}

/** The number of those courses, for a screen that offers to upload them. */
export const countUnsaved = () => readUnsaved().length

export function onUnsaved(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

const listeners = new Set<() => void>()

export function storeUnsaved(courses: readonly UnsavedCourse[]): void {
  // An earlier build stored them in the list; without this they would be found twice.
  const isOld = unsavedIn(read(COURSES)).length > 0
  if (courses.length === 0) localStorage.removeItem(UNSAVED)
  else if (!write(UNSAVED, courses)) return console.warn('This browser has no room for the courses made here.')
  if (isOld) localStorage.removeItem(COURSES)
  for (const listener of listeners) listener()
}

function persistUnsaved() {
  if (unsavedIn(read(COURSES)).length > 0) storeUnsaved(readUnsaved())
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch (error) {
    console.warn(`The stored value of ${key} was ignored:`, error)
    return null
  }
}

/** False when the storage is full. */
function write(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
