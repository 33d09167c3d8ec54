import { useEffect, useMemo, useRef, useState } from 'react'
import { useLoaderData, useLocation, useNavigate, useRevalidator, type ClientLoaderFunctionArgs } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { messageOf, toastOf } from '../../../platform/api-client.ts'
import type { LiveHandle } from '../../../platform/realtime/realtime.schema.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { PlusIcon } from '../../../ui/icons.tsx'
import { EmptyState, Heading } from '../../../ui/page-parts.tsx'
import { toast } from '../../../ui/toasts.tsx'
import type { courseManagementLoader } from './admin-courses-endpoints.server.ts'
import { duplicateCourse } from './admin-courses-client.ts'
import type { AdminCourses, AdminCourseView, CourseFilter } from '../../catalogue/catalogue.schema.ts'
import { useSync } from '../../catalogue/data-calls/tab-sync-client.ts'
import { copy as syncCopy } from '../../catalogue/data-calls/course-sync.copy.ts'
import {
  emptyCourse,
  emptyExam,
  failedWords,
  getShown,
  isPending,
  toExamForm,
  toFields,
  withEdits,
  type ExamForm as ExamFormText,
} from '../../catalogue/data-calls/course-sync.ts'
import type { CourseFields, DraftFields, NewEdit } from '../../catalogue/data-calls/course-sync.schema.ts'
import ConfirmDialog from './ui/confirm-dialog.tsx'
import { copy } from '../../catalogue/catalogue.copy.ts'
import { CourseForm } from './ui/course-form.tsx'
import { CourseDependentsList } from './ui/course-dependents.tsx'
import { CoursePages, CourseSearch, sortSaid } from './ui/course-search.tsx'
import { CourseRow, type RowAction } from './ui/course-row.tsx'
import { ExamForm } from './ui/exam-form.tsx'
import { MigrationNotice } from './ui/migration-notice.tsx'
import { SyncState } from './ui/sync-state.tsx'

export { courseManagementLoader as loader } from './admin-courses-endpoints.server.ts'

export const handle: LiveHandle = {
  live: (data) => ({ courseIds: null, courses: (data as { foundCount: number }).foundCount }),
}

/** What a form held that could not be kept. */
type Typed = { readonly course?: CourseFields; readonly exam?: ExamFormText }
type ExamAction = Extract<RowAction, { kind: 'new-exam' | 'edit-exam' }>

type Listed = AdminCourses & { readonly wanted: CourseFilter; readonly adminId: string; readonly askedAt?: number }

/** Notes when the list was asked for: from then on it shows what was saved before. */
export async function clientLoader({ serverLoader }: ClientLoaderFunctionArgs): Promise<Listed> {
  const askedAt = Date.now()
  return { ...(await serverLoader<typeof courseManagementLoader>()), askedAt }
}

/** Every course with its exams. A change is seen and kept here at once and sent a moment later; guests see it then. */
export default function CourseManagementPage() {
  const listed = useLoaderData<Listed>()
  const { outbox, isSending, sync } = useSync(listed.adminId)
  const courses = useMemo(() => withEdits(listed.courses, outbox), [listed, outbox])
  const { refresh, isRefreshing } = useRefresh(listed)
  const navigate = useNavigate()
  const { search } = useLocation()
  const [opened, setOpened] = useState<RowAction | { kind: 'new-course' } | null>(null)
  const [typed, setTyped] = useState<Typed>({})
  const open = (form: typeof opened, before: Typed = {}) => {
    setOpened(form)
    setTyped(before)
  }
  const close = () => open(null)

  useEffect(() => {
    // Outside: what lies on the device. What this list shows need not be shown over it.
    void sync?.takeList(listed.askedAt ?? performance.timeOrigin)
  }, [sync, listed])
  const savedCount = outbox.filter((edit) => !isPending(edit)).length
  const { revalidate } = useRevalidator()
  useEffect(() => {
    // Outside: the server, which has more than this list shows.
    if (savedCount > 0 && !isSending) void revalidate()
  }, [savedCount, isSending, revalidate])

  /** False when nothing could be kept on this device, or the course is gone from it. */
  const make = async (edit: NewEdit) => {
    try {
      if (edit.kind !== 'course.insert') getShown(courses, edit)
      await sync?.add(edit)
      return true
    } catch (error) {
      toast('error', ...failedWords(edit, error instanceof Error ? error.message : messageOf(error)))
      return false
    }
  }
  /** As `make`; a form whose fields could not be kept opens again with them. */
  const makeOf = async (form: typeof opened, before: Typed, edit: NewEdit) => {
    close()
    if (!(await make(edit))) open(form, before)
  }
  const act = (action: RowAction) => {
    if (action.kind === 'change') void make(action.edit)
    else if (action.kind === 'duplicate') void duplicate(action.course)
    else open(action)
  }
  /** Not for the outbox: only the server has the questions. */
  const duplicate = async (course: AdminCourseView) => {
    try {
      const made = await duplicateCourse(course.id, crypto.randomUUID())
      toast('success', 'Course copied', `${made.title} is a draft with exams and questions of its own.`)
      await navigate(paths.adminCourse(made.id))
    } catch (error) {
      toast(...toastOf(error))
    }
  }
  const saveCourse = (course: AdminCourseView | null, whole: CourseFields) => {
    if (course === null) {
      const rowId = crypto.randomUUID()
      const row = { rowId, courseId: rowId, title: whole.title, base: null }
      return makeOf(opened, { course: whole }, { ...row, kind: 'course.insert', fields: whole })
    }
    const before = toFields(course)
    const fields = Object.fromEntries(
      Object.entries(whole).filter(([name, value]) => before[name as keyof CourseFields] !== value),
    )
    if (Object.keys(fields).length === 0) return close()
    const row = { rowId: course.id, courseId: course.id, title: whole.title, base: course.rowVersion }
    return makeOf(opened, { course: whole }, { ...row, kind: 'course.update', fields, whole })
  }
  const saveExam = (action: ExamAction, exam: ExamFormText, written: Partial<DraftFields>) => {
    const courseId = action.course.id
    if (action.kind === 'edit-exam') {
      const { id: rowId, rowVersion: base, title } = action.exam
      const row = { rowId, courseId, title: written.test_name ?? title, base }
      return makeOf(action, { exam }, { ...row, kind: 'exam.draft', fields: written })
    }
    const fields = { ...emptyExam, ...written, is_free_trial: false }
    const row = { rowId: crypto.randomUUID(), courseId, title: fields.test_name, base: null }
    return makeOf(action, { exam }, { ...row, kind: 'exam.insert', fields })
  }

  const { search: words, status, level } = listed.wanted
  const isAll = words === '' && status === 'all' && level === 'all'
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div>
          <Heading>Courses</Heading>
          <p className="nums mt-1 text-sm text-soft">{foundSaid(listed)}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button look="secondary" disabled={isRefreshing} onClick={() => void refresh()}>
            Refresh
          </Button>
          <Button look="secondary" onClick={() => open({ kind: 'new-course' })}>
            <PlusIcon /> New course
          </Button>
          <ButtonLink to={paths.adminBuilder}>Build a course</ButtonLink>
        </div>
      </div>
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
          <EmptyState
            title={isAll ? copy['home.empty.title'] : copy['home.nothing.title']}
            hint={
              isAll ? 'Courses that are imported or built appear here.' : 'Try another word, or look at all courses.'
            }
            action={
              isAll ? (
                <ButtonLink to={paths.adminBuilder}>Build a course</ButtonLink>
              ) : (
                <ButtonLink to={paths.adminCourses} look="secondary">
                  {copy['home.nothing.action']}
                </ButtonLink>
              )
            }
          />
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {courses.map((course) => (
              <CourseRow
                key={course.id}
                course={course}
                waits={outbox.some((edit) => edit.courseId === course.id && isPending(edit))}
                isOnlyHere={outbox.some((edit) => edit.rowId === course.id && edit.kind === 'course.insert')}
                onAct={act}
              />
            ))}
          </ul>
        )}
        <CoursePages listed={listed} search={search} />
      </div>
      {opened?.kind === 'new-course' ? (
        <CourseForm
          heading="New course"
          before={typed.course ?? emptyCourse}
          onClose={close}
          onSave={(all) => void saveCourse(null, all)}
        />
      ) : null}
      {opened?.kind === 'edit-course' ? (
        <CourseForm
          heading="Edit course"
          before={typed.course ?? toFields(opened.course)}
          onClose={close}
          onSave={(all) => void saveCourse(opened.course, all)}
        />
      ) : null}
      {opened?.kind === 'new-exam' || opened?.kind === 'edit-exam' ? (
        <ExamForm
          heading={opened.kind === 'new-exam' ? `New exam in ${opened.course.title}` : `Edit ${opened.exam.title}`}
          before={typed.exam ?? toExamForm(opened.kind === 'new-exam' ? null : opened.exam)}
          isNew={opened.kind === 'new-exam'}
          onClose={close}
          onSave={(written, exam) => void saveExam(opened, exam, written)}
        />
      ) : null}
      {opened?.kind === 'confirm' ? (
        <ConfirmDialog
          heading={opened.heading}
          text={opened.text}
          button={opened.button}
          onClose={close}
          onConfirm={() => {
            close()
            void make(opened.edit)
          }}
        >
          {opened.edit.kind === 'course.delete' ? <CourseDependentsList courseId={opened.edit.courseId} /> : null}
        </ConfirmDialog>
      ) : null}
    </>
  )
}

function foundSaid({ foundCount, page, pageCount, wanted }: Listed): string {
  const courses = `${foundCount.toLocaleString('en-US')} ${foundCount === 1 ? 'course' : 'courses'}`
  return `${courses}, ${sortSaid[wanted.sort]}${pageCount > 1 ? `, page ${page} of ${pageCount}` : ''}`
}

/** The admin's own refresh says what it found; mere navigation does not. */
function useRefresh(listed: Listed) {
  const { revalidate, state } = useRevalidator()
  const isAsked = useRef(false)
  useEffect(() => {
    // Outside: the toasts.
    if (!isAsked.current) return
    isAsked.current = false
    const found = fill(syncCopy['courses.loaded.text'], { n: listed.foundCount })
    toast('success', syncCopy['courses.loaded.title'], `${found} ${syncCopy['courses.loaded.admin']}`)
  }, [listed])
  const refresh = () => {
    isAsked.current = true
    return revalidate()
  }
  return { refresh, isRefreshing: state !== 'idle' }
}
