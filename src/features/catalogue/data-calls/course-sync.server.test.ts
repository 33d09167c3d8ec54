import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startApp } from '../../../../tests/support/start-app.ts'
import { anAdmin } from '../../../../tests/support/users.ts'
import { ABrowser, type CallOutcome, type Tab } from '../../../../tests/support/sync-browser.ts'
import type { AdminCourseView } from '../catalogue.schema.ts'
import { withEdits } from './course-sync.ts'

const app = await startApp()
const { db } = app.services.database
const ada = await anAdmin(app)
const ben = await anAdmin(app)

type Typed = { readonly by: string; readonly rowId: string; readonly title: string; readonly saw: string | null }
type World = {
  readonly browsers: readonly ABrowser[]
  readonly typed: Typed[]
  /** Titles that an admin discarded, and the stored titles that they saw when they kept their own. */
  readonly givenUp: Set<string>
  readonly shown: Set<string>
  readonly rows: Set<string>
}

type Command = (world: World) => Promise<void> | void

let count = 0
const aTitle = () => `T${(count += 1)}`

/** Ada uses two tabs of one browser, Ben uses one. */
const tabs = fc.constantFrom([0, 0], [0, 1], [1, 0])
const tabOf = (world: World, [browser = 0, tab = 0]: readonly number[]) => world.browsers[browser]!.tabs[tab]!
const rowOf = <Row>(rows: readonly Row[], place: number) => (rows.length === 0 ? undefined : rows[place % rows.length])

async function type(world: World, tab: Tab, courseId: string, saw: AdminCourseView | null) {
  const title = aTitle()
  world.typed.push({ by: tab.browser.user.id, rowId: courseId, title, saw: saw?.title ?? null })
  const whole = {
    title,
    description: 'No description',
    price: 5,
    category: null,
    image_url: '',
    status: 'draft',
  } as const
  const row = { rowId: courseId, courseId, title }
  if (saw === null) {
    world.rows.add(courseId)
    return tab.add({ ...row, kind: 'course.insert', base: null, fields: whole })
  }
  return tab.add({ ...row, kind: 'course.update', base: saw.rowVersion, fields: { title }, whole })
}

const addCourse = tabs.map(
  (at): Command =>
    (world) =>
      type(world, tabOf(world, at), randomUUID(), null),
)
const changeCourse = fc.tuple(tabs, fc.nat(9)).map(([at, place]): Command => async (world) => {
  const tab = tabOf(world, at)
  const course = rowOf(await tab.courses(world.rows), place)
  if (course !== undefined) await type(world, tab, course.id, course)
})
const removeCourse = fc.tuple(tabs, fc.nat(9)).map(([at, place]): Command => async (world) => {
  const tab = tabOf(world, at)
  const course = rowOf(await tab.courses(world.rows), place)
  if (course === undefined) return
  const row = { rowId: course.id, courseId: course.id, title: course.title }
  await tab.add({ ...row, kind: 'course.delete', base: course.rowVersion })
})
const addExam = fc.tuple(tabs, fc.nat(9)).map(([at, place]): Command => async (world) => {
  const tab = tabOf(world, at)
  const course = rowOf(await tab.courses(world.rows), place)
  if (course === undefined) return
  const title = aTitle()
  const fields = { test_name: title, passing_score: 70, time_limit: 30, is_free_trial: false, questions: [] }
  await tab.add({ kind: 'exam.insert', rowId: randomUUID(), courseId: course.id, title, base: null, fields })
})
const changeExam = fc
  .tuple(tabs, fc.nat(9), fc.constantFrom('trial', 'draft', 'delete'))
  .map(([at, place, what]): Command => async (world) => {
    const tab = tabOf(world, at)
    const courses = await tab.courses(world.rows)
    const exam = rowOf(
      courses.flatMap((course) => course.exams.map((one) => ({ ...one, courseId: course.id }))),
      place,
    )
    if (exam === undefined) return
    const row = { rowId: exam.id, courseId: exam.courseId, title: exam.title, base: exam.rowVersion }
    if (what === 'trial') await tab.add({ ...row, kind: 'exam.trial', fields: { is_free_trial: !exam.isFreeTrial } })
    if (what === 'draft') await tab.add({ ...row, kind: 'exam.draft', fields: { time_limit: 10 + place } })
    if (what === 'delete') await tab.add({ ...row, kind: 'exam.delete' })
  })
const pass = tabs.map(
  (at): Command =>
    (world) =>
      tabOf(world, at).flush(),
)
const passTogether = fc.constant<Command>(async ({ browsers }) => {
  await Promise.all(browsers.flatMap((browser) => browser.tabs.map((tab) => tab.flush())))
})
const fates = fc.array(fc.constantFrom<CallOutcome>('arrives', 'offline', 'answer lost', 'tab dies'), { maxLength: 5 })
const network = fc.tuple(fc.nat(1), fates).map(([browser, next]): Command => (world) => {
  world.browsers[browser]!.outcomes = [...next]
})
const restart = tabs.map(
  (at): Command =>
    (world) =>
      world.browsers[at[0]!]!.restart(at[1]!),
)
const readAnew = tabs.map(
  (at): Command =>
    (world) =>
      tabOf(world, at).readList(),
)
const choose = fc.tuple(tabs, fc.boolean()).map(
  ([at, isMine]): Command =>
    (world) =>
      settle(world, tabOf(world, at), isMine),
)

/** The admin resolves conflicts and refusals. */
async function settle(world: World, tab: Tab, isMine: boolean) {
  await tab.sync.reload()
  const edit = tab.sync.outbox().find(({ syncProblem }) => syncProblem !== null)
  if (edit?.syncProblem == null) return
  const stored = edit.syncProblem.kind === 'conflict' ? edit.syncProblem.stored : null
  if (stored?.course !== undefined) world.shown.add(stored.course.title)
  const isKept = isMine && edit.syncProblem.kind === 'conflict' && (stored !== null || edit.kind === 'course.update')
  if (!isKept)
    for (const one of tab.sync.outbox())
      if (one.saved === null && one.courseId === edit.courseId)
        for (const { title } of typedIn(world, one.rowId)) world.givenUp.add(title)
  await tab.choose(edit.id, isKept ? 'mine' : 'theirs')
}

const typedIn = ({ typed }: World, rowId: string) => typed.filter((one) => one.rowId === rowId)

async function settleAll(world: World) {
  for (let round = 0; round < 60; round += 1) {
    for (const browser of world.browsers) {
      browser.outcomes = []
      for (const tab of browser.tabs) {
        await tab.flush()
        await settle(world, tab, round % 2 === 0)
        await tab.readList()
      }
    }
    if (world.browsers.every(({ stored }) => stored.length === 0))
      return Promise.all(world.browsers.flatMap(({ tabs }) => tabs.map((tab) => tab.readList())))
  }
  throw new Error(`something never came through: ${JSON.stringify(world.browsers.map(({ stored }) => stored))}`)
}

async function whatServerDid(world: World) {
  const lines = await db
    .selectFrom('audit_log')
    .where('subject_table', '=', 'courses')
    .where('subject_id', 'in', [...world.rows, randomUUID()])
    .orderBy('id')
    .select(['actor_id', 'action', 'subject_id', 'before', 'after'])
    .execute()
  return lines.map((line) => ({
    by: line.actor_id,
    action: line.action,
    rowId: line.subject_id,
    before: (line.before as { title?: string } | null)?.title,
    title: (line.after as { title?: string } | null)?.title,
  }))
}

test('after any edits, failures and restarts in two tabs by two admins, browser and server agree and nothing typed is lost', async () => {
  const command = fc.oneof(
    { weight: 3, arbitrary: addCourse },
    { weight: 6, arbitrary: changeCourse },
    { weight: 1, arbitrary: removeCourse },
    { weight: 2, arbitrary: addExam },
    { weight: 3, arbitrary: changeExam },
    { weight: 4, arbitrary: pass },
    { weight: 2, arbitrary: passTogether },
    { weight: 4, arbitrary: network },
    { weight: 2, arbitrary: restart },
    { weight: 2, arbitrary: readAnew },
    { weight: 2, arbitrary: choose },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), async (commands) => {
      const browsers = [new ABrowser(ada, 2), new ABrowser(ben, 1)]
      const world: World = { browsers, typed: [], givenUp: new Set(), shown: new Set(), rows: new Set() }
      // Everybody sees the same two courses, so that concurrent changes are frequent.
      for (const _ of [1, 2]) await type(world, browsers[0]!.tabs[0]!, randomUUID(), null)
      await settleAll(world)
      for (const run of commands) await run(world)
      await settleAll(world)

      const { body } = await ada.browser.get('/api/admin/courses')
      const there = (body as { courses: AdminCourseView[] }).courses.filter(({ id }) => world.rows.has(id))
      for (const tab of browsers.flatMap((browser) => browser.tabs))
        expect(await tab.courses(world.rows)).toEqual(withEdits(there, []))

      const lines = await whatServerDid(world)
      for (const { title, rowId, by } of world.typed) {
        const isDone = lines.some((line) => line.title === title)
        const later = typedIn(world, rowId).findLast((one) => one.by === by)
        const isTypedOver = later?.title !== title
        const isDeleted = lines.some((line) => line.rowId === rowId && /deleted|withdrawn/.test(line.action))
        expect({ title, isKept: isDone || isTypedOver || isDeleted || world.givenUp.has(title) }).toEqual({
          title,
          isKept: true,
        })
      }
      for (const { by, rowId, before } of lines.filter(
        ({ action, title }) => action === 'course.update' && title !== undefined,
      )) {
        const own = typedIn(world, rowId).filter((one) => one.by === by)
        const known = [...own.map((one) => one.title), ...own.map(({ saw }) => saw), ...world.shown]
        // Nobody overwrites an unseen change, and the edits of an admin arrive in their order.
        expect(known).toContain(before)
      }
      for (const { id: by } of [ada, ben]) {
        const numbers = lines
          .filter((line) => line.by === by && line.title !== undefined)
          .map(({ title, rowId }) => [rowId, Number(title!.slice(1))] as const)
        for (const rowId of world.rows) {
          const inRow = numbers.filter(([row]) => row === rowId).map(([, number]) => number)
          expect(inRow).toEqual(inRow.toSorted((a, b) => a - b))
        }
      }
    }),
    { numRuns: 30 },
  )
}, 240_000)
