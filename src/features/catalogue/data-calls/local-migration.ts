import type { UnsavedCourse } from './local-courses.schema.ts'

/** Only one migration runs at a time: another is refused this long after the last heartbeat. */
export const MIGRATION_LOCK_MS = 8000
/** The pause between two courses. */
export const MIGRATION_PAUSE_MS = 200

/** Whether no other migration runs in this browser. The lock of a closed tab expires. */
export function mayMigrate(lastHeartbeatAt: number | null, now: number): boolean {
  return lastHeartbeatAt === null || now < lastHeartbeatAt || now - lastHeartbeatAt >= MIGRATION_LOCK_MS
}

/** Assigns a row id to every course and exam that has none. */
export function withRowIds(courses: readonly UnsavedCourse[], newId: () => string): UnsavedCourse[] {
  return courses.map((course) => ({
    ...course,
    rowId: course.rowId ?? newId(),
    exams: course.exams.map((exam) => ({ ...exam, rowId: exam.rowId ?? newId() })),
  }))
}
