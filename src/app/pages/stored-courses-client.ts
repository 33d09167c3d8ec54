import { useEffect, useState } from 'react'
import { useRevalidator, type ShouldRevalidateFunctionArgs } from 'react-router'
import { copy } from '../../features/catalogue/data-calls/course-sync.copy.ts'
import { readPage } from '../../features/catalogue/catalogue.ts'
import type { CourseView, HomeCourses } from '../../features/catalogue/catalogue.schema.ts'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { toast } from '../../ui/toasts.tsx'
import { reloadsUnlessSearched, useSite } from '../layout/use-site.ts'

export type HomeList = HomeCourses & {
  /** What the server says, while the list of the last visit is shown; null when it says nothing. */
  readonly newer?: Promise<HomeCourses | null>
}

const storage = () => import('../../features/catalogue/data-calls/local-courses-client.ts')

/** Whether all courses are in this page, so that a search asks nobody. */
let isWholeHere = false

/** Home's data is asked for again when the search or the page changes, unless everything is here. */
export const reloadsHome = (asked: ShouldRevalidateFunctionArgs): boolean =>
  isWholeHere ? reloadsUnlessSearched(asked) : asked.defaultShouldRevalidate

/** The list of the last visit at once, the server's behind it. An open page waits for the server's: it has one already. */
export async function loadHomeList(url: URL, serverLoader: () => Promise<HomeCourses>): Promise<HomeList> {
  const isOpen = location.pathname === paths.home
  const asked = serverLoader()
  asked.catch(() => undefined)
  // Only the first page is kept, and what is searched for is looked for in it.
  const mayPaint = readPage(url.searchParams) === 1 && !(isOpen && navigator.onLine)
  const courses = mayPaint ? await readStored() : null
  if (courses === null) return asked
  const count = courses.length
  const stored = { courses, allCount: count, foundCount: count, isWhole: true, page: 1, pageCount: 1 }
  return { ...stored, newer: asked.catch(() => null) }
}

async function readStored() {
  try {
    return (await storage()).readStoredCourses()
  } catch (error) {
    // The code for it was never loaded here, or storage is blocked.
    console.warn('The stored courses could not be read:', error)
    return null
  }
}

let isGuest = false

/** Whose page this is: what was kept of a course says nothing about anybody's access. */
export function noteWhoIsHere(user: object | null): void {
  isGuest = user === null
}

type CourseAnswer = { readonly course: CourseView; readonly access: string; readonly accessUntil: string | null }

/** A course from the server; for guests without a network as it was kept, without its exams where those were not. */
export async function loadCourse<Answer extends CourseAnswer>(
  slugOrId: string,
  serverLoader: () => Promise<Answer>,
): Promise<Answer | (CourseAnswer & { access: 'none' })> {
  try {
    const answer = await serverLoader()
    if (isGuest) (await storage()).storeExams(answer.course)
    return answer
  } catch (error) {
    if (navigator.onLine || !isGuest) throw error
    const { findStoredCourse } = await storage()
    const course = findStoredCourse(slugOrId)
    if (course === null) throw error
    toast('error', copy['courses.load.error.title'], copy['courses.load.error.text'])
    return { course, access: 'none', accessUntil: null }
  }
}

let isRetry = false

/** The next list answers a press of Try Again, and says so. */
export function announceNextList(): void {
  isRetry = true
}

/** The list to show: that of the last visit until the server's is there, which is kept for the next one. */
export function useHomeList(list: HomeList): HomeCourses {
  const [answer, setAnswer] = useState<{ to: HomeList; list: HomeCourses } | null>(null)
  const { revalidate } = useRevalidator()
  const { user } = useSite()
  const isAdmin = user?.role === 'admin'
  const isFresh = list.newer === undefined || answer?.to === list
  const shown = answer?.to === list ? answer.list : list

  useEffect(() => {
    // Outside: the server. Where it is silent the page loads again when the network is back.
    if (list.newer === undefined) return
    let isGone = false
    const again = () => void revalidate()
    void list.newer.then((newer) => {
      if (isGone) return
      if (newer !== null) return setAnswer({ to: list, list: newer })
      toast('error', copy['courses.load.error.title'], copy['courses.load.error.text'])
      addEventListener('online', again)
    })
    return () => {
      isGone = true
      removeEventListener('online', again)
    }
  }, [list, revalidate])

  useEffect(() => {
    // Outside: the router, the toasts, and local storage.
    isWholeHere = isFresh && shown.isWhole
    if (!isFresh) return
    if (isRetry) announce(shown.allCount, isAdmin)
    isRetry = false
    const isFirstPage = shown.page === 1 && shown.foundCount === shown.allCount
    if (!isFirstPage) return
    const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 200))
    idle(async () => {
      try {
        ;(await storage()).storeCourses(shown.courses)
      } catch (error) {
        console.warn('The list of courses could not be kept:', error)
      }
    })
  }, [isFresh, shown, isAdmin])

  useEffect(() => {
    // Outside: another tab stored a newer list, or the stored one was cleared.
    let stop: (() => void) | null = null
    let isGone = false
    void storage().then(({ onStored }) => {
      const again = () => void revalidate()
      if (!isGone) stop = onStored(again, again)
    })
    return () => {
      isGone = true
      stop?.()
    }
  }, [revalidate])
  return shown
}

/** Spec 4: after a sign-in, after Try Again and after an admin's own refresh. */
export function announce(count: number, isAdmin: boolean): void {
  const found = fill(copy['courses.loaded.text'], { n: count })
  toast('success', copy['courses.loaded.title'], isAdmin ? `${found} ${copy['courses.loaded.admin']}` : found)
}
