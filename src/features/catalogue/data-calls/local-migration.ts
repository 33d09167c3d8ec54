import type { UnsavedCourse } from './local-courses.schema.ts'

/** Spec 9: one migration at a time; a second one is refused for so long after a sign of the first. */
export const MIGRATION_LOCK_MS = 8000
/** Spec 9: between two courses. */
export const MIGRATION_PAUSE_MS = 200

/** Whether nobody else is at it, in this tab or another. A tab that died in the middle is out of the way after the lock. */
export function mayMigrate(lastSignAt: number | null, now: number): boolean {
  return lastSignAt === null || now < lastSignAt || now - lastSignAt >= MIGRATION_LOCK_MS
}

/** Every course and exam with the row id under which it will be sent, however often. */
export function withRowIds(courses: readonly UnsavedCourse[], newId: () => string): UnsavedCourse[] {
  return courses.map((course) => ({
    ...course,
    rowId: course.rowId ?? newId(),
    exams: course.exams.map((exam) => ({ ...exam, rowId: exam.rowId ?? newId() })),
  }))
}
