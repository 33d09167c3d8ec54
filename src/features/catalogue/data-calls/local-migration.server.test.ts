import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp } from '../../../../tests/support/start-app.ts'
import { anAdmin } from '../../../../tests/support/users.ts'
import { callAs } from '../../../../tests/support/sync-browser.ts'
import type { AdminCourseView } from '../catalogue.schema.ts'
import { UnsavedCourse } from './local-courses.schema.ts'
import { migrate, type MigrationDeps } from './local-migration-client.ts'
import { MIGRATION_LOCK_MS } from './local-migration.ts'

const app = await startApp()
const admin = await anAdmin(app)
const question = { id: 'q1', question: 'Why?', answer_a: 'So', answer_b: 'Not', final_answer: 'A', explanation: 'E' }
const made = (title: string) => UnsavedCourse.parse({ title, price: 3, exams: [{ title: 'E', questions: [question] }] })

/** A browser with courses that have no row. After `callsLeft` calls its tab is closed. */
function aBrowser(titles: string[]) {
  let stored = titles.map(made)
  let signAt: number | null = null
  let now = 0
  const waits: number[] = []
  const state = { callsLeft: Number.POSITIVE_INFINITY }
  const call = callAs(admin, () => {
    state.callsLeft -= 1
    return state.callsLeft < 0 ? new Promise<never>(() => undefined) : Promise.resolve()
  })
  const deps: MigrationDeps = {
    call,
    read: () => stored,
    store: (courses) => void (stored = [...courses]),
    lastHeartbeatAt: () => signAt,
    setHeartbeat: (at) => void (signAt = at),
    wait: (ms) => Promise.resolve(void waits.push(ms)),
    now: () => now,
    newId: randomUUID,
  }
  return { deps, state, waits, left: () => stored, forward: (ms: number) => void (now += ms) }
}

const coursesOf = async (of: string) => {
  const { body } = await admin.browser.get('/api/admin/courses')
  return (body as { courses: AdminCourseView[] }).courses.filter(({ title }) => title.startsWith(of))
}

test('courses of this browser are uploaded one by one with a pause, and removed from the browser', async () => {
  const browser = aBrowser(['Whole 1', 'Whole 2', 'Whole 3'])
  const seen: string[] = []
  const result = await migrate(browser.deps, (done, of) => void seen.push(`${done}/${of}`))
  expect(result).toEqual({ kind: 'done', moved: 3, failed: [] })
  expect(seen).toEqual(['0/3', '1/3', '2/3'])
  expect(browser.waits).toEqual([200, 200])
  expect(browser.left()).toEqual([])
  expect((await coursesOf('Whole')).map(({ exams }) => exams.map((exam) => exam.questionCount))).toEqual([
    [1],
    [1],
    [1],
  ])
})

test('an interrupted migration stays locked for a while, and the next run adds no duplicates', async () => {
  const browser = aBrowser(['Broken 1', 'Broken 2'])
  browser.state.callsLeft = 3
  void migrate(browser.deps, () => undefined)
  await expect.poll(async () => (await coursesOf('Broken')).length).toBe(2)
  expect(await migrate(browser.deps, () => undefined)).toEqual({ kind: 'runs-already' })
  browser.state.callsLeft = Number.POSITIVE_INFINITY
  browser.forward(MIGRATION_LOCK_MS)
  expect(await migrate(browser.deps, () => undefined)).toMatchObject({ kind: 'done', moved: 1 })
  expect((await coursesOf('Broken')).map(({ exams }) => exams.length)).toEqual([1, 1])
})

test('a refused course stays in the browser with the reason, and the others are uploaded', async () => {
  const browser = aBrowser(['Refused <b>', 'Refused not'])
  const result = await migrate(browser.deps, () => undefined)
  expect(result).toMatchObject({ moved: 1, failed: [{ title: 'Refused <b>' }] })
  expect(browser.left()).toMatchObject([{ title: 'Refused <b>' }])
})
