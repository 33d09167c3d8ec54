import { messageOf, type clientOf } from '../../../platform/api-client.ts'
import type { dataCallsApi } from './data-calls-endpoints.server.ts'
import type { UnsavedCourse } from './local-courses.schema.ts'
import { mayMigrate, MIGRATION_PAUSE_MS, withRowIds } from './local-migration.ts'

export type MigrationDeps = {
  readonly call: ReturnType<typeof clientOf<typeof dataCallsApi>>
  read(): UnsavedCourse[]
  store(courses: readonly UnsavedCourse[]): void
  /** The last heartbeat of a running migration in this browser; null when none runs. */
  lastHeartbeatAt(): number | null
  setHeartbeat(at: number | null): void
  wait(ms: number): Promise<void>
  now(): number
  newId(): string
}

export type Migrated =
  | { readonly kind: 'runs-already' }
  | { readonly kind: 'done'; readonly moved: number; readonly failed: readonly { title: string; why: string }[] }

/**
 * Uploads the courses that exist only in this browser, one at a time. Each gets its row id before it is sent and is removed from
 * the browser when the server has all of it, so that an interrupted migration can restart without duplicates.
 */
export async function migrate(deps: MigrationDeps, onProgress: (done: number, of: number) => void): Promise<Migrated> {
  if (!mayMigrate(deps.lastHeartbeatAt(), deps.now())) return { kind: 'runs-already' }
  deps.setHeartbeat(deps.now())
  const courses = withRowIds(deps.read(), deps.newId)
  deps.store(courses)
  const failed: { title: string; why: string }[] = []
  for (const [place, course] of courses.entries()) {
    if (place > 0) await deps.wait(MIGRATION_PAUSE_MS)
    onProgress(place, courses.length)
    deps.setHeartbeat(deps.now())
    try {
      await send(deps.call, course)
      deps.store(deps.read().filter(({ rowId }) => rowId !== course.rowId))
    } catch (error) {
      failed.push({ title: course.title, why: messageOf(error) })
    }
  }
  deps.setHeartbeat(null)
  return { kind: 'done', moved: courses.length - failed.length, failed }
}

async function send(call: MigrationDeps['call'], course: UnsavedCourse) {
  const { rowId: id, title, description, price, category, exams } = course
  await call('POST', '/api/courses', { body: { id, title, description, price, category } })
  for (const exam of exams)
    await call('POST', '/api/test_questions', {
      body: {
        id: exam.rowId,
        course_id: id ?? '',
        test_name: exam.title,
        time_limit: exam.timeLimitMinutes,
        passing_score: exam.passingScore,
        questions: exam.questions,
      },
    })
}
