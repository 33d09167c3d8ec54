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

/** Spec 3: the keys in local storage. */
const COURSES = 'courses'
const EXAMS = 'exams'
/** Courses without a row stand apart, so that no newer list can write over them. */
const UNSAVED = 'courses_unsaved'

/** The list of the last visit; null when there is none that can be read. */
export function readStoredCourses(): CourseCardView[] | null {
  const value = read(COURSES)
  if (value === null) return null
  const parsed = StoredCourses.safeParse(value)
  if (parsed.success) return parsed.data.courses.map(fromLocal)
  console.warn('The stored courses were ignored:', parsed.error.issues[0]?.message)
  return null
}

/** Keeps the list for the next visit. What was made here and never got a row is put aside first. */
export function storeCourses(courses: readonly CourseCardView[]): void {
  persistUnsaved()
  const local = courses.map(toLocal)
  if (JSON.stringify((read(COURSES) as { courses?: unknown } | null)?.courses) === JSON.stringify(local)) return
  for (const list of shorterLists(local)) {
    if (write(COURSES, { version: LOCAL_VERSION, courses: list })) return
    // Facts of exams are the least that is needed; then the oldest courses.
    localStorage.removeItem(EXAMS)
    if (write(COURSES, { version: LOCAL_VERSION, courses: list })) return
  }
  console.warn('This browser has no room for the list of courses.')
}

/** Keeps the facts of a course's exams; of other courses they stay. */
export function storeExams(course: Pick<CourseView, 'id' | 'exams'>): void {
  const stored = StoredExams.safeParse(read(EXAMS))
  const exams = toLocalExams(course)
  const others = stored.success ? stored.data.exams.filter((one) => one.courseId !== exams[0]?.courseId) : []
  for (const list of shorterLists([...exams, ...others]))
    if (write(EXAMS, { version: LOCAL_VERSION, exams: list })) return
}

/** A course of the last visit by its slug or row id; without exams where none were kept. */
export function findStoredCourse(slugOrId: string): CourseView | null {
  const card = readStoredCourses()?.find(({ id, slug }) => id === slugOrId || slug === slugOrId.toLowerCase())
  if (card === undefined) return null
  const stored = StoredExams.safeParse(read(EXAMS))
  const exams = stored.success ? fromLocalExams(stored.data.exams, card.id) : []
  return { ...card, blueprint: null, updatedAt: '', exams }
}

/** For signing out: neither list stays. What was made here and is nowhere else does. */
export function clearStored(): void {
  persistUnsaved()
  for (const key of [COURSES, EXAMS]) localStorage.removeItem(key)
  dispatchEvent(new StorageEvent('storage', { key: COURSES }))
}

/**
 * Tells when another tab stored another list, and, a moment later, when the lists were cleared here or there.
 * Gives back how to stop.
 */
export function onStored(changed: () => void, cleared: () => void): () => void {
  let timer: number | undefined
  const handle = ({ key, newValue }: StorageEvent) => {
    if (key !== null && key !== COURSES) return
    window.clearTimeout(timer)
    if (newValue === null) timer = window.setTimeout(cleared, CLEAR_RELOAD_MS)
    else changed()
  }
  // Outside: local storage, which other tabs change too.
  addEventListener('storage', handle)
  return () => {
    window.clearTimeout(timer)
    removeEventListener('storage', handle)
  }
}

/** Courses that were made in this browser and never got a row. */
export function readUnsaved(): UnsavedCourse[] {
  return [...unsavedIn(read(UNSAVED)), ...unsavedIn(read(COURSES))]
}

/** How many those are, for a screen that offers to send them. */
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
  // They may still lie in the list of an earlier build, where they would be found a second time.
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
    console.warn(`What is stored as ${key} was ignored:`, error)
    return null
  }
}

/** False when there is no room. */
function write(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
