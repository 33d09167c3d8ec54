import { useEffect, useState } from 'react'
import { useRevalidator, type ShouldRevalidateFunctionArgs } from 'react-router'
import { copy } from '../../features/catalogue/data-calls/course-sync.copy.ts'
import { readPage } from '../../features/catalogue/catalogue.ts'
import type { CourseView, HomeCourses } from '../../features/catalogue/catalogue.schema.ts'
import type { LastReview } from '../../features/authoring/freshness/last-review-queries.server.ts'
import type { Erratum } from '../../features/attempts/reports/errata.ts'
import type { CourseContents, HomeSample } from '../../features/catalogue/contents/course-contents.schema.ts'
import type { SheetSummary } from '../../features/catalogue/study-sheets/study-sheets.ts'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { toast } from '../../ui/toasts.tsx'
import { reloadsUnlessSearched, useSite } from '../layout/use-site.ts'

/** A page of the list, the question to try, and what the user owns. */
type HomeData = HomeCourses & {
  readonly sample: HomeSample | null
  /** The courses to which the user has access. */
  readonly ownedIds: readonly string[]
}

export type HomeList = HomeData & {
  /** The server's list, while the stored one is shown; resolves with null if the server does not answer. */
  readonly newer?: Promise<HomeData | null>
}

const storage = () => import('../../features/catalogue/data-calls/local-courses-client.ts')

/** Whether the page holds all courses, so that a search needs no request. */
let hasAllCourses = false

/** Home's data is loaded again when the search or the page changes, unless the page holds all courses. */
export const reloadsHome = (args: ShouldRevalidateFunctionArgs): boolean =>
  hasAllCourses ? reloadsUnlessSearched(args) : args.defaultShouldRevalidate

/** The stored list of the last visit at once, and the server's list later. An open home page only waits for the server's. */
export async function loadHomeList(url: URL, serverLoader: () => Promise<HomeData>): Promise<HomeList> {
  const isOpen = location.pathname === paths.home
  const request = serverLoader()
  request.catch(() => undefined)
  // Only the first page is stored; a search filters it.
  const maySkipServer = readPage(url.searchParams) === 1 && !(isOpen && navigator.onLine)
  const courses = maySkipServer ? await readStored() : null
  if (courses === null) return request
  const count = courses.length
  const stored = { courses, allCount: count, foundCount: count, isWhole: true, page: 1, pageCount: 1, ...besideList }
  return { ...stored, newer: request.catch(() => null) }
}

async function readStored() {
  try {
    return (await storage()).readStoredCourses()
  } catch (error) {
    // The module was never loaded on this device, or storage is blocked.
    console.warn('The stored courses could not be read:', error)
    return null
  }
}

const nothingBeside: Pick<HomeData, 'sample' | 'ownedIds'> = { sample: null, ownedIds: [] }
/** What the server last sent beside the list, shown with the stored list until the server answers. */
let besideList = nothingBeside

let isGuest: boolean | null = null

/** Stored courses are for guests only, because they don't contain a user's access. */
export function noteUser(user: object | null): void {
  if (isGuest !== null && isGuest !== (user === null)) besideList = nothingBeside
  isGuest = user === null
}

type CourseAnswer = {
  readonly course: CourseView
  /** Null while offline. */
  readonly contents: CourseContents | null
  readonly errata: readonly Erratum[]
  readonly sheets: readonly SheetSummary[]
  readonly review: LastReview | null
  readonly access: string
  readonly accessUntil: string | null
}

/** A course from the server. A guest who is offline gets the stored copy, with its exams if they were stored. */
export async function loadCourse<Answer extends CourseAnswer>(
  slugOrId: string,
  serverLoader: () => Promise<Answer>,
): Promise<Answer | (CourseAnswer & { access: 'none' })> {
  try {
    const answer = await serverLoader()
    if (isGuest === true) (await storage()).storeExams(answer.course)
    return answer
  } catch (error) {
    if (navigator.onLine || isGuest !== true) throw error
    const { findStoredCourse } = await storage()
    const course = findStoredCourse(slugOrId)
    if (course === null) throw error
    toast('error', copy['courses.load.error.title'], copy['courses.load.error.text'])
    return { course, contents: null, errata: [], sheets: [], review: null, access: 'none', accessUntil: null }
  }
}

let isRetry = false

/** The next list follows a press of Try Again, so a toast announces it. */
export function announceNextList(): void {
  isRetry = true
}

/** The stored list until the server's arrives, which is then stored for the next visit. */
export function useHomeList(list: HomeList): HomeData {
  const [answer, setAnswer] = useState<{ to: HomeList; list: HomeData } | null>(null)
  const { revalidate } = useRevalidator()
  const { user } = useSite()
  const isAdmin = user?.role === 'admin'
  const isFresh = list.newer === undefined || answer?.to === list
  const shown = answer?.to === list ? answer.list : list

  useEffect(() => {
    // If the server does not answer, load the page again when the network is back.
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
    // Announce a fresh list, and store its first page for the next visit.
    hasAllCourses = isFresh && shown.isWhole
    if (!isFresh) return
    besideList = { sample: shown.sample, ownedIds: shown.ownedIds }
    if (isRetry) announce(shown.allCount, isAdmin)
    isRetry = false
    const isFirstPage = shown.page === 1 && shown.foundCount === shown.allCount
    if (!isFirstPage) return
    const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 200))
    idle(async () => {
      try {
        ;(await storage()).storeCourses(shown.courses)
      } catch (error) {
        console.warn('The list of courses could not be stored:', error)
      }
    })
  }, [isFresh, shown, isAdmin])

  useReloadAfterStoring()
  return shown
}

/** Reloads when another tab stores a newer list or the stored one is cleared. */
function useReloadAfterStoring(): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    let stop: (() => void) | null = null
    let isGone = false
    // Its code is requested later than what the page needs to be usable.
    const timer = setTimeout(() => {
      void storage().then(({ onStored }) => {
        const again = () => void revalidate()
        if (!isGone) stop = onStored(again, again)
      })
    })
    return () => {
      isGone = true
      clearTimeout(timer)
      stop?.()
    }
  }, [revalidate])
}

/** The toast after a sign-in, after Try Again and after an admin's own refresh. */
export function announce(count: number, isAdmin: boolean): void {
  const text = fill(copy['courses.loaded.text'], { n: count })
  toast('success', copy['courses.loaded.title'], isAdmin ? `${text} ${copy['courses.loaded.admin']}` : text)
}
