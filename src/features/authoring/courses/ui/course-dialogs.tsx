import { emptyCourse, toExamForm, toFields } from '../../../catalogue/data-calls/course-sync.ts'
import { typedKey } from '../../../../platform/unsaved-text-client.ts'
import type { CourseActions } from '../use-course-actions.ts'
import ConfirmDialog from './confirm-dialog.tsx'
import { CourseDependentsList } from './course-dependents.tsx'
import { CourseForm } from './course-form.tsx'
import { ExamForm } from './exam-form.tsx'

/** The form or question that an action of the course list has opened. */
export function CourseDialogs({ actions, adminId }: { actions: CourseActions; adminId: string }) {
  const { opened, typed, close, confirm, saveCourse, saveExam } = actions
  switch (opened?.kind) {
    case 'new-course':
      return (
        <CourseForm
          heading="New course"
          before={typed.course ?? emptyCourse}
          keptAs={{ key: typedKey(adminId, 'course-form.new'), base: null }}
          onClose={close}
          onSave={(fields) => saveCourse(null, fields)}
        />
      )
    case 'edit-course':
      return (
        <CourseForm
          heading="Edit course"
          before={typed.course ?? toFields(opened.course)}
          keptAs={{ key: typedKey(adminId, `course-form.${opened.course.id}`), base: opened.course.rowVersion }}
          onClose={close}
          onSave={(fields) => saveCourse(opened.course, fields)}
        />
      )
    case 'new-exam':
    case 'edit-exam':
      return (
        <ExamForm
          heading={opened.kind === 'new-exam' ? `New exam in ${opened.course.title}` : `Edit ${opened.exam.title}`}
          before={typed.exam ?? toExamForm(opened.kind === 'new-exam' ? null : opened.exam)}
          isNew={opened.kind === 'new-exam'}
          keptAs={
            opened.kind === 'new-exam'
              ? { key: typedKey(adminId, `exam-form.new.${opened.course.id}`), base: null }
              : { key: typedKey(adminId, `exam-form.${opened.exam.id}`), base: opened.exam.rowVersion }
          }
          onClose={close}
          onSave={(fields, exam) => saveExam(opened, exam, fields)}
        />
      )
    case 'confirm':
      return (
        <ConfirmDialog
          heading={opened.heading}
          text={opened.text}
          button={opened.button}
          onClose={close}
          onConfirm={() => confirm(opened.edit)}
        >
          {opened.edit.kind === 'course.delete' ? <CourseDependentsList courseId={opened.edit.courseId} /> : null}
        </ConfirmDialog>
      )
    default:
      return null
  }
}
