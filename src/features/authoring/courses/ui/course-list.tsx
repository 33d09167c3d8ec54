import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import { useLoaderData, useLocation, useRevalidator } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { PlusIcon } from '../../../../ui/icons.tsx'
import { EmptyState, Heading } from '../../../../ui/page-parts.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { copy } from '../../../catalogue/catalogue.copy.ts'
import type { AdminCourses, AdminCourseView, CourseFilter } from '../../../catalogue/catalogue.schema.ts'
import { copy as syncCopy } from '../../../catalogue/data-calls/course-sync.copy.ts'
import { isPending, withEdits } from '../../../catalogue/data-calls/course-sync.ts'
import { useSync } from '../../../catalogue/data-calls/tab-sync-client.ts'
import { CourseDialogs } from './course-dialogs.tsx'
import { CourseRow } from './course-row.tsx'
import { CoursePages, CourseSearch, sortNames } from './course-search.tsx'
import { MigrationNotice } from './migration-notice.tsx'
import { SyncState } from './sync-state.tsx'
import { useCourseActions } from '../use-course-actions.ts'
import { counted } from '../../../../lib/text.ts'

export type ListedCourses = AdminCourses & {
  readonly wanted: CourseFilter
  readonly adminId: string
  /** When the browser requested the list. */
  readonly askedAt?: number
}

/** Every course with its exams. A change shows here at once and is sent a moment later. */
export function CourseList({
  priceControl,
}: {
  /** Shown under the price of a course that the server has. */
  priceControl: (course: AdminCourseView, adminId: string) => ReactNode
}) {
  const listed = useLoaderData<ListedCourses>()
  const { outbox, isSending, sync } = useSync(listed.adminId)
  const { revalidate } = useRevalidator()
  const courses = useMemo(() => withEdits(listed.courses, outbox), [listed, outbox])
  const actions = useCourseActions(courses, sync)
  const { search } = useLocation()

  useEffect(() => {
    // Edits stored on the device are shown over the list. Remove those that this list already includes.
    void sync?.removeListed(listed.askedAt ?? performance.timeOrigin)
  }, [sync, listed])
  const savedCount = outbox.filter((edit) => !isPending(edit)).length
  useEffect(() => {
    // Edits were saved since the list was loaded: load it again.
    if (savedCount > 0 && !isSending) void revalidate()
  }, [savedCount, isSending, revalidate])
  return (
    <>
      <PageHead listed={listed} onNewCourse={actions.openNewCourse} />
      <CourseSearch wanted={listed.wanted} />
      <SyncState
        outbox={outbox}
        isSending={isSending}
        onChoose={(id, choice) => void sync?.choose(id, choice)}
        onSendNow={() => void sync?.flush()}
      />
      <MigrationNotice onMoved={() => void revalidate()} />
      <div className="mt-3">
        {courses.length === 0 ? (
          <NoCourses filter={listed.wanted} />
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {courses.map((course) => (
              <CourseRow
                key={course.id}
                course={course}
                waits={outbox.some((edit) => edit.courseId === course.id && isPending(edit))}
                isOnlyHere={outbox.some((edit) => edit.rowId === course.id && edit.kind === 'course.insert')}
                adminId={listed.adminId}
                priceControl={priceControl(course, listed.adminId)}
                onAct={actions.act}
              />
            ))}
          </ul>
        )}
        <CoursePages listed={listed} search={search} />
      </div>
      <CourseDialogs actions={actions} adminId={listed.adminId} />
    </>
  )
}

function PageHead({ listed, onNewCourse }: { listed: ListedCourses; onNewCourse: () => void }) {
  const { refresh, isRefreshing } = useRefresh(listed)
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div>
        <Heading>Courses</Heading>
        <p className="nums mt-1 text-sm text-soft">{describeList(listed)}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button look="quiet" className="max-tablet:order-last" disabled={isRefreshing} onClick={() => void refresh()}>
          Refresh
        </Button>
        <Button look="secondary" onClick={onNewCourse}>
          <PlusIcon /> New course
        </Button>
        <ButtonLink to={adminPaths.builder}>Build a course</ButtonLink>
      </div>
    </div>
  )
}

function NoCourses({ filter: { search, status, level } }: { filter: CourseFilter }) {
  const isUnfiltered = search === '' && status === 'all' && level === 'all'
  return isUnfiltered ? (
    <EmptyState
      drawing="courses"
      title={copy['home.empty.title']}
      hint="Courses that are imported or built appear here."
      action={<ButtonLink to={adminPaths.builder}>Build a course</ButtonLink>}
    />
  ) : (
    <EmptyState
      drawing="search"
      title={copy['home.nothing.title']}
      hint="Try another word, or look at all courses."
      action={
        <ButtonLink to={adminPaths.courses} look="secondary">
          {copy['home.nothing.action']}
        </ButtonLink>
      }
    />
  )
}

function describeList({ foundCount, page, pageCount, wanted }: ListedCourses): string {
  const courses = counted(foundCount, 'course')
  return `${courses}, ${sortNames[wanted.sort]}${pageCount > 1 ? `, page ${page} of ${pageCount}` : ''}`
}

/** Only the admin's own refresh shows a toast with the count; navigation does not. */
function useRefresh(listed: ListedCourses) {
  const { revalidate, state } = useRevalidator()
  const isRequested = useRef(false)
  useEffect(() => {
    // Announce only a refresh that the admin requested.
    if (!isRequested.current) return
    isRequested.current = false
    const found = fill(syncCopy['courses.loaded.text'], { n: listed.foundCount })
    toast('success', syncCopy['courses.loaded.title'], `${found} ${syncCopy['courses.loaded.admin']}`)
  }, [listed])
  const refresh = () => {
    isRequested.current = true
    return revalidate()
  }
  return { refresh, isRefreshing: state !== 'idle' }
}
