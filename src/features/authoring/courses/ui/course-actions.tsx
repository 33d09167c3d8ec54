import { useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { paths } from '../../../../lib/paths.ts'
import { toastOf } from '../../../../platform/api-client.ts'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { changeCourse, deleteCourse } from '../../../catalogue/data-calls/data-calls-client.ts'
import { duplicateCourse } from '../admin-courses-client.ts'
import type { CourseFactsView } from '../../../catalogue/catalogue.schema.ts'
import { copy as syncCopy } from '../../../catalogue/data-calls/course-sync.copy.ts'
import ConfirmDialog from './confirm-dialog.tsx'
import { CourseDependentsList } from './course-dependents.tsx'

const states = {
  draft: { said: 'Draft: only admins see it.', next: 'published', button: 'Put on sale' },
  published: { said: 'Published: on sale.', next: 'withdrawn', button: 'Withdraw from sale' },
  withdrawn: { said: 'Withdrawn from sale: who owns it keeps it.', next: 'published', button: 'Put on sale again' },
} as const

/** What can be done with a course as a whole. */
export function CourseActions({ course, questionCount }: { course: CourseFactsView; questionCount: number }) {
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const state = states[course.status]

  const attempt = async (act: () => Promise<void>) => {
    setBusy(true)
    try {
      await act()
    } catch (error) {
      toast(...toastOf(error))
      await revalidate()
    } finally {
      setBusy(false)
    }
  }
  const handleState = () =>
    attempt(async () => {
      await changeCourse(course.id, { status: state.next }, course.rowVersion)
      await revalidate()
    })
  const handleDuplicate = () =>
    attempt(async () => {
      const made = await duplicateCourse(course.id, crypto.randomUUID())
      toast('success', 'Course copied', `${made.title} is a draft with exams and questions of its own.`)
      await navigate(paths.adminCourse(made.id))
    })
  const handleDelete = () =>
    attempt(async () => {
      setDeleting(false)
      const { outcome } = await deleteCourse(course.id, course.rowVersion)
      if (outcome === 'withdrawn') {
        toast('warning', 'Withdrawn from sale', 'Somebody owns, owned or ordered this course, so it stays.')
        return revalidate()
      }
      toast('success', syncCopy['courses.deleted'])
      return navigate(paths.adminCourses)
    })
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className={`text-sm font-semibold ${course.status === 'published' ? 'text-good' : 'text-flag'}`}>
        {state.said}
      </p>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={paths.adminCourseEdit(course.id)}>Edit course</ButtonLink>
        {course.status === 'draft' ? (
          <ButtonLink to={paths.adminBuilderAt(course.id, 'look')} look="secondary">
            Look over and publish
          </ButtonLink>
        ) : (
          <Button
            look="secondary"
            disabled={isBusy || (state.next === 'published' && questionCount === 0)}
            onClick={() => void handleState()}
          >
            {state.button}
          </Button>
        )}
        <ButtonLink to={paths.adminReplace(course.id)} look="secondary">
          Find and replace
        </ButtonLink>
        <Button look="secondary" disabled={isBusy} onClick={() => void handleDuplicate()}>
          Duplicate
        </Button>
        <Button look="secondary" disabled={isBusy} onClick={() => setDeleting(true)}>
          Delete…
        </Button>
      </div>
      {isDeleting ? (
        <ConfirmDialog
          heading="Delete course"
          text={`${course.title} is about to go.`}
          button="Delete course"
          onClose={() => setDeleting(false)}
          onConfirm={() => void handleDelete()}
        >
          <CourseDependentsList courseId={course.id} />
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
