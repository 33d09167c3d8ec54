import { useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { paths } from '../../../../lib/paths.ts'
import { toastOf } from '../../../../platform/api-client.ts'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { changeCourse, deleteCourse } from '../../../catalogue/data-calls/data-calls-client.ts'
import type { CourseDependents, CourseFactsView } from '../../../catalogue/catalogue.schema.ts'
import { copy as syncCopy } from '../../../catalogue/data-calls/course-sync.copy.ts'
import ConfirmDialog from './confirm-dialog.tsx'
import { useDuplicating } from '../use-duplicating.ts'
import { Published } from '../../drafts/ui/published.tsx'
import { CourseDependentsList } from './course-dependents.tsx'

const states = {
  draft: { label: 'Draft: only admins see it.', next: 'published', button: 'Put on sale' },
  published: { label: 'Published: on sale.', next: 'withdrawn', button: 'Withdraw from sale' },
  withdrawn: { label: 'Withdrawn from sale: owners keep it.', next: 'published', button: 'Put on sale again' },
} as const

/** Publishes, withdraws, copies or deletes a course. */
export function CourseActions({ course, questionCount }: { course: CourseFactsView; questionCount: number }) {
  const { acting, changeStatus, duplicate, remove, isPublishedNow } = useCourseCalls(course)
  const [isDeleting, setDeleting] = useState(false)
  const [outcome, setOutcome] = useState<CourseDependents['outcome']>('deleted')
  const state = states[course.status]
  return (
    <>
      {isPublishedNow ? (
        <Published text={`${course.title} is on sale.`} seenAt={paths.course(course.slug)} className="mt-4" />
      ) : null}
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className={`text-sm font-semibold ${course.status === 'published' ? 'text-good' : 'text-flag'}`}>
          {state.label}
        </p>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to={adminPaths.courseEdit(course.id)}>Edit course</ButtonLink>
          {course.status === 'draft' ? (
            <ButtonLink to={adminPaths.builderAt(course.id, 'look')} look="secondary">
              Look over and publish
            </ButtonLink>
          ) : (
            <Button
              look="secondary"
              disabled={state.next === 'published' && questionCount === 0}
              {...acting.button}
              onClick={() => acting.run(changeStatus)}
            >
              {state.button}
            </Button>
          )}
        </div>
        <div className="-ml-4 flex flex-wrap">
          <ButtonLink to={adminPaths.replace(course.id)} look="quiet">
            Find and replace
          </ButtonLink>
          <Button look="quiet" {...acting.button} onClick={() => acting.run(duplicate)}>
            Duplicate
          </Button>
          <Button look="quiet" className="text-bad" onClick={() => setDeleting(true)}>
            Delete…
          </Button>
        </div>
        {isDeleting ? (
          <ConfirmDialog
            heading={outcome === 'deleted' ? 'Delete course' : 'This course cannot be deleted'}
            text={course.title}
            button={outcome === 'deleted' ? 'Delete course' : 'Withdraw from sale'}
            onClose={() => setDeleting(false)}
            onConfirm={() => {
              setDeleting(false)
              acting.run(remove)
            }}
          >
            <CourseDependentsList courseId={course.id} onFound={setOutcome} />
          </ConfirmDialog>
        ) : null}
      </div>
    </>
  )
}

function useCourseCalls(course: CourseFactsView) {
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const duplicate = useDuplicating()
  // One mutation for all of them: while one is under way, no other may start.
  const acting = useMutation((act: () => Promise<void>) => act(), {
    onFailure: (error) => {
      toast(...toastOf(error))
      void revalidate()
    },
  })
  // The course builder leads here when it has published.
  const cameFrom = useLocation().state as { isPublishedNow?: unknown } | null
  const [isPublishedHere, setPublishedHere] = useState(cameFrom?.isPublishedNow === true)
  const changeStatus = async () => {
    const { next } = states[course.status]
    await changeCourse(course.id, { status: next }, course.rowVersion)
    await revalidate()
    setPublishedHere(next === 'published')
  }
  const remove = async () => {
    const { outcome } = await deleteCourse(course.id, course.rowVersion)
    if (outcome === 'withdrawn') {
      toast('warning', 'Withdrawn from sale', 'Somebody owns, owned or ordered this course, so it stays.')
      return revalidate()
    }
    toast('success', syncCopy['courses.deleted'])
    return navigate(adminPaths.courses)
  }
  const isPublishedNow = isPublishedHere && course.status === 'published'
  return { acting, changeStatus, duplicate: () => duplicate(course.id), remove, isPublishedNow }
}
