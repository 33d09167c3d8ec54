import { useState } from 'react'
import { messageOf, toastOf } from '../../../platform/api-client.ts'
import { toast } from '../../../ui/toasts.tsx'
import type { AdminCourseView } from '../../catalogue/catalogue.schema.ts'
import {
  emptyExam,
  failureToastOf,
  requireShown,
  toFields,
  type ExamForm,
} from '../../catalogue/data-calls/course-sync.ts'
import type { CourseFields, DraftFields, NewEdit } from '../../catalogue/data-calls/course-sync.schema.ts'
import type { useSync } from '../../catalogue/data-calls/tab-sync-client.ts'
import type { RowAction } from './ui/course-row.tsx'
import { useDuplicating } from './use-duplicating.ts'

/** The fields of a form whose edit could not be stored; the form opens again with them. */
type Typed = { readonly course?: CourseFields; readonly exam?: ExamForm }
type Opened = RowAction | { readonly kind: 'new-course' } | null
type ExamAction = Extract<RowAction, { kind: 'new-exam' | 'edit-exam' }>
type Sync = ReturnType<typeof useSync>['sync']
export type CourseActions = ReturnType<typeof useCourseActions>

/** The open form or confirmation of the course list, and the edits that it adds to the outbox of this device. */
export function useCourseActions(courses: readonly AdminCourseView[], sync: Sync) {
  const duplicate = useDuplicating()
  const [opened, setOpened] = useState<Opened>(null)
  const [typed, setTyped] = useState<Typed>({})
  const open = (form: Opened, before: Typed = {}) => {
    setOpened(form)
    setTyped(before)
  }
  const close = () => open(null)

  const addEdit = (edit: NewEdit) => storeEdit(courses, sync, edit)
  const addFormEdit = async (form: Opened, before: Typed, edit: NewEdit) => {
    close()
    if (!(await addEdit(edit))) open(form, before)
  }
  return {
    opened,
    typed,
    close,
    openNewCourse: () => open({ kind: 'new-course' }),
    confirm: (edit: NewEdit) => {
      close()
      void addEdit(edit)
    },
    act: (action: RowAction) => {
      if (action.kind === 'change') void addEdit(action.edit)
      else if (action.kind === 'duplicate')
        duplicate(action.course.id).catch((error: unknown) => toast(...toastOf(error)))
      else open(action)
    },
    /** A course of null adds a new one. */
    saveCourse: (course: AdminCourseView | null, fields: CourseFields) => {
      const edit = course === null ? toCourseInsert(fields) : toCourseUpdate(course, fields)
      if (edit === null) close()
      else void addFormEdit(opened, { course: fields }, edit)
    },
    saveExam: (action: ExamAction, exam: ExamForm, fields: Partial<DraftFields>) =>
      void addFormEdit(
        action,
        { exam },
        action.kind === 'edit-exam' ? toExamDraft(action, fields) : toExamInsert(action, fields),
      ),
  }
}

/** False when the edit could not be stored on this device, or its row is gone. */
async function storeEdit(courses: readonly AdminCourseView[], sync: Sync, edit: NewEdit): Promise<boolean> {
  try {
    if (edit.kind !== 'course.insert') requireShown(courses, edit)
    await sync?.add(edit)
    return true
  } catch (error) {
    toast('error', ...failureToastOf(edit, error instanceof Error ? error.message : messageOf(error)))
    return false
  }
}

function toCourseInsert(fields: CourseFields): NewEdit {
  const rowId = crypto.randomUUID()
  return { rowId, courseId: rowId, title: fields.title, base: null, kind: 'course.insert', fields }
}

/** Null when no field differs. */
function toCourseUpdate({ id, rowVersion, ...course }: AdminCourseView, whole: CourseFields): NewEdit | null {
  const before = toFields({ id, rowVersion, ...course })
  const fields = Object.fromEntries(
    Object.entries(whole).filter(([name, value]) => before[name as keyof CourseFields] !== value),
  )
  if (Object.keys(fields).length === 0) return null
  return { rowId: id, courseId: id, title: whole.title, base: rowVersion, kind: 'course.update', fields, whole }
}

function toExamDraft(
  { course, exam }: Extract<ExamAction, { kind: 'edit-exam' }>,
  fields: Partial<DraftFields>,
): NewEdit {
  const title = fields.test_name ?? exam.title
  return { rowId: exam.id, courseId: course.id, title, base: exam.rowVersion, kind: 'exam.draft', fields }
}

function toExamInsert({ course }: ExamAction, written: Partial<DraftFields>): NewEdit {
  const fields = { ...emptyExam, ...written, is_free_trial: false }
  const rowId = crypto.randomUUID()
  return { rowId, courseId: course.id, title: fields.test_name, base: null, kind: 'exam.insert', fields }
}
