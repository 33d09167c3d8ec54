import { useEffect, useRef } from 'react'
import { useMatches } from 'react-router'
import { toast } from '../../ui/toasts.tsx'
import { copy } from '../app.copy.ts'
import { announce, type HomeList } from '../pages/stored-courses-client.ts'
import { useStoredPages } from '../offline/offline-client.ts'
import { useLiveChanges } from './use-live-changes.ts'
import { useRootData, useSite } from './use-site.ts'

/** The effects that run on all pages of the shop, in code that the first paint and the first press do not wait for. */
export default function FrameEffects() {
  // Around a failure of the first page nobody knows the user: taken for a guest's, it would delete what the user stored on the device.
  return useRootData() === undefined ? null : <Effects />
}

function Effects() {
  useDeniedNotice()
  useLiveChanges()
  useUnsentChanges()
  useSignInNotice()
  useStoredPages()
  useOfflineResults()
  return null
}

/** Shows a toast after an admin page turned the user away. */
function useDeniedNotice() {
  const site = useSite()
  useEffect(() => {
    // Each server reply is a new object, so the effect runs once for each denial.
    if (site.wasDenied) toast('error', copy['guard.denied.title'], copy['guard.denied.text'])
  }, [site])
}

/** Sends an admin's unsent changes, from whichever page is open. */
function useUnsentChanges() {
  const { user } = useSite()
  const adminId = user?.role === 'admin' ? user.id : null
  useEffect(() => {
    // Unsent changes are in local storage. Only admins load the code for it.
    if (adminId !== null)
      void import('../../features/catalogue/data-calls/tab-sync-client.ts').then(({ startSync }) => startSync(adminId))
  }, [adminId])
}

/** After a sign-in, a toast announces that the list of courses is loaded. */
function useSignInNotice() {
  const { user } = useSite()
  const matches = useMatches()
  const lastUserId = useRef(user?.id ?? null)
  const isNew = useRef(false)
  useEffect(() => {
    // The session is known a moment before the sign-in page navigates away.
    if (lastUserId.current === null && user !== null) isNew.current = true
    lastUserId.current = user?.id ?? null
    if (!isNew.current || matches.some(({ id }) => id.endsWith('login-page'))) return
    isNew.current = false
    const list = matches.findLast(({ id }) => id.endsWith('home-page') || id.endsWith('course-management-page'))
    const { newer, allCount, foundCount } = (list?.data ?? {}) as Partial<HomeList>
    const count = allCount ?? foundCount
    if (user === null || count === undefined) return
    void (newer ?? Promise.resolve({ allCount: count })).then((latest) => {
      if (latest !== null) announce(latest.allCount, user.role === 'admin')
    })
  }, [user, matches])
}

/** Online, sends offline results and deletes offline exams of other users of this device. */
function useOfflineResults() {
  const userId = useSite().user?.id ?? null
  useEffect(() => {
    // Runs when the browser is idle, because the open page does not need it.
    const sync = async () => {
      if (!navigator.onLine) return
      try {
        const offlineExams = await import('../../features/attempts/offline-exams/offline-exams-client.ts')
        await offlineExams.clearOthers(userId)
        if (userId === null) return
        await offlineExams.sendResults(userId)
        await offlineExams.renewOfflineExams()
      } catch (error) {
        console.warn('Offline results could not be sent:', error)
      }
    }
    const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 1000))
    idle(() => void sync())
    const handleOnline = () => void sync()
    window.addEventListener('online', handleOnline)
    return () => window.removeEventListener('online', handleOnline)
  }, [userId])
}
