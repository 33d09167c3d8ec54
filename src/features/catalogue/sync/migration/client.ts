import { messageOf, type clientOf } from '../../../../platform/client.ts'
import type { catalogueApi } from '../../api.server.ts'
import type { UnsavedCourse } from '../local/schema.ts'
import { mayMigrate, MIGRATION_PAUSE_MS, withRowIds } from './rules.ts'

export type MigrationPorts = {
  readonly call: ReturnType<typeof clientOf<typeof catalogueApi>>
  read(): UnsavedCourse[]
  store(courses: readonly UnsavedCourse[]): void
  /** The last sign of a migration that runs in this browser. */
  lastSignAt(): number | null
  giveSign(at: number | null): void
  wait(ms: number): Promise<void>
  now(): number
  newId(): string
}

export type Migrated =
  | { readonly kind: 'runs-already' }
  | { readonly kind: 'done'; readonly moved: number; readonly failed: readonly { title: string; why: string }[] }

/**
 * Sends the courses that were made in this browser and never got a row, one at a time. Each has its row id before it is sent
 * and leaves the browser when the server has all of it, so that breaking off and beginning again doubles nothing.
 */
export async function migrate(
  ports: MigrationPorts,
  onProgress: (done: number, of: number) => void,
): Promise<Migrated> {
  if (!mayMigrate(ports.lastSignAt(), ports.now())) return { kind: 'runs-already' }
  ports.giveSign(ports.now())
  const courses = withRowIds(ports.read(), ports.newId)
  ports.store(courses)
  const failed: { title: string; why: string }[] = []
  for (const [place, course] of courses.entries()) {
    if (place > 0) await ports.wait(MIGRATION_PAUSE_MS)
    onProgress(place, courses.length)
    ports.giveSign(ports.now())
    try {
      await send(ports.call, course)
      ports.store(ports.read().filter(({ rowId }) => rowId !== course.rowId))
    } catch (error) {
      failed.push({ title: course.title, why: messageOf(error) })
    }
  }
  ports.giveSign(null)
  return { kind: 'done', moved: courses.length - failed.length, failed }
}

async function send(call: MigrationPorts['call'], course: UnsavedCourse) {
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
