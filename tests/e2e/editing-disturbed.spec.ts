import type { APIRequestContext, BrowserContext, Locator, Page, Route } from '@playwright/test'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.server.ts'
import { openDatabase } from '../../src/db/open.server.ts'
import { listDraftCaseStudies } from '../../src/features/authoring/drafts/drafts-queries.server.ts'
import { beginDraft } from '../../src/features/authoring/drafts/drafts-commands.server.ts'
import type { UserId } from '../../src/lib/ids.ts'
import { aCourse, anExam, aQuestion } from '../support/build-course.ts'
import { dataFolder, launch, untilReady, type ServerProcess } from './server-process.ts'
import { admin } from './shared-users.ts'
import { expect, test, untilHydrated, visit } from './e2e-test.ts'

/*
 * The table of an admin's edits: at each step (the form is open, typed in, being saved, saved) each disturbance. Afterwards the text
 * is on the server, or it is offered where it was typed and can be saved. It has a server and a database of its own.
 */

const steps = ['opened', 'typed', 'saving', 'saved'] as const
type Step = (typeof steps)[number]
const disturbances = ['back', 'forward', 'reload', 'second tab', 'killed tab', 'lost network', 'ended session'] as const
type Disturbance = (typeof disturbances)[number]

type Subject = {
  /** The page before the form, and the link to the form; without a link the form is on that page. */
  readonly from: string
  readonly link: string | null
  /** What the form saves with. */
  readonly call: RegExp
  /** Leaving with typed text asks first. The text of a price stays in its field instead. */
  readonly asks: boolean
  /** A save leads back to the page before. */
  readonly returns: boolean
  field(page: Page): Locator
  save(page: Page): Promise<void>
  stored(): Promise<string>
  readonly values: Iterator<string, never>
}

let folder: Awaited<ReturnType<typeof dataFolder>>
let server: ServerProcess
let embedded: Awaited<ReturnType<typeof startEmbedded>>
let database: ReturnType<typeof openDatabase>
let cookies: Awaited<ReturnType<typeof signIn>>
let subjects: Record<'course' | 'settings' | 'question' | 'case study' | 'price', Subject>

test.beforeAll(async ({ request }) => {
  test.setTimeout(120_000)
  folder = await dataFolder()
  server = launch(folder.path, await freePort(), {
    DEMO_CATALOGUE: 'off',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  })
  await untilReady(server)
  embedded = await startEmbedded({ dataDir: folder.path })
  database = openDatabase(embedded.url, { connections: 2 })
  subjects = await makeSubjects()
  cookies = await signIn(request)
})
test.afterAll(async () => {
  await database.close()
  await embedded.stop()
  server.child.kill('SIGTERM')
  await server.ended
  await folder.remove()
})

async function makeSubjects(): Promise<typeof subjects> {
  const { db } = database
  const course = await aCourse(db, { title: 'Edited in bad weather' })
  const caseStudy = { id: 'shared', title: 'A shop', tabs: [{ id: 't1', title: 'Situation', body: 'It sells shoes.' }] }
  const shared = [2, 3].map((number) => ({ ...aQuestion(number), caseStudy: caseStudy.id }))
  const exam = await anExam(db, course.id, { questions: [aQuestion(1), ...shared], caseStudies: [caseStudy] })
  const actor = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  await beginDraft(db, { examId: exam.id, actorId: actor.id as UserId, now: new Date() })
  const [question] = exam.questions
  if (question === undefined) throw new Error('The exam has a question.')
  const courseColumn = async (column: 'description' | 'price') =>
    String(
      (await db.selectFrom('courses').where('id', '=', course.id).select(column).executeTakeFirstOrThrow())[
        column as never
      ],
    )
  return {
    course: {
      from: `/admin/course-management/${course.id}`,
      link: `/admin/course-management/edit/${course.id}`,
      call: /\/api\/courses\//,
      asks: true,
      returns: false,
      field: (page) => page.getByLabel('Description', { exact: true }),
      save: (page) => page.getByRole('button', { name: 'Save course' }).click(),
      stored: () => courseColumn('description'),
      values: numbered((n) => `Description ${n}.`),
    },
    settings: {
      from: `/admin/course-management/${course.id}`,
      link: `/admin/exams/${exam.id}`,
      call: /\/api\/exams\/[^/]+\/draft$/,
      asks: true,
      returns: false,
      field: (page) => page.getByLabel('Title', { exact: true }),
      save: (page) => page.getByRole('button', { name: 'Save settings' }).click(),
      stored: async () =>
        (
          await db
            .selectFrom('exam_drafts')
            .where('family_id', '=', exam.id)
            .select('test_name')
            .executeTakeFirstOrThrow()
        ).test_name,
      values: numbered((n) => `Exam ${n}`),
    },
    question: {
      from: `/admin/exams/${exam.id}`,
      link: `/admin/exams/${exam.id}/questions/${question.id}`,
      call: /\/draft\/questions\//,
      asks: true,
      returns: true,
      field: (page) => page.getByLabel('Explanation', { exact: true }),
      save: (page) => page.getByRole('button', { name: 'Save to the draft' }).click(),
      stored: async () => {
        const row = await db
          .selectFrom('exam_draft_questions')
          .where('question_id', '=', question.id)
          .select('question')
          .executeTakeFirstOrThrow()
        return (row.question as { explanation: string }).explanation
      },
      values: numbered((n) => `Explanation ${n}.`),
    },
    'case study': {
      from: `/admin/exams/${exam.id}`,
      link: `/admin/exams/${exam.id}/case-study/${caseStudy.id}`,
      call: /\/draft\/case-studies\//,
      asks: true,
      returns: true,
      field: (page) => page.getByLabel('Text of tab 1', { exact: true }),
      save: (page) => page.getByRole('button', { name: 'Save to the draft' }).click(),
      stored: async () => {
        const [stored] = await listDraftCaseStudies(db, exam.id)
        return stored?.tabs[0]?.body ?? ''
      },
      values: numbered((n) => `Situation ${n}.`),
    },
    price: {
      from: '/admin/course-management',
      link: null,
      call: /\/api\/courses\//,
      asks: false,
      returns: false,
      field: (page) => page.getByLabel(`Price of ${course.title}`),
      save: (page) => page.getByLabel(`Price of ${course.title}`).press('Enter'),
      stored: () => courseColumn('price'),
      values: numbered((n) => `${n}.50`),
    },
  }
}

function* numbered(text: (n: number) => string): Generator<string, never> {
  for (let n = 1; ; n += 1) yield text(n)
}

/** A new page with the form, opened from the page before it. */
async function open(context: BrowserContext, subject: Subject): Promise<Page> {
  const page = await context.newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  await visit(page, server.url + subject.from)
  await openHere(page, subject)
  return page
}

/** Opens the form unless the page shows it already, as one who follows the link. */
async function openHere(page: Page, { from, link, field }: Subject) {
  if (page.url() !== server.url + (link ?? from)) {
    if (link === null) await visit(page, server.url + from)
    else await page.locator(`main a[href="${link}"]`).first().click()
  }
  await expect(field(page)).toBeVisible()
}

/** Opens the form again without what the page had in its memory. */
async function openAfresh(page: Page, subject: Subject) {
  if (page.url() === server.url + (subject.link ?? subject.from)) {
    await page.reload()
    await untilHydrated(page)
  }
  await openHere(page, subject)
}

const offer = (page: Page) => page.getByRole('button', { name: 'Take it up again' })
const question = (page: Page) => page.getByRole('dialog', { name: 'Leave with unsaved changes?' })

/** A page that is at this step, with the request of the save, which waits. */
async function bringTo(step: Step, page: Page, subject: Subject, value: string): Promise<Route | null> {
  if (step === 'opened') return null
  await subject.field(page).fill(value)
  if (step === 'typed') return null
  if (step === 'saving') {
    const waiting = new Promise<Route>((resolve) => void page.route(subject.call, resolve, { times: 1 }))
    await subject.save(page)
    return waiting
  }
  await subject.save(page)
  await expectSaved(page, subject, value)
  return null
}

/** A saved question or case study leads back to its exam a moment after the server has it. */
async function expectSaved(page: Page, { stored, returns, from }: Subject, value: string) {
  await expect.poll(stored, { timeout: 10_000 }).toBe(value)
  // The page has the reply and shows what was saved: what is typed from now on changes that.
  await expect(page.getByRole('main').locator('button[aria-busy="true"]')).toHaveCount(0)
  if (returns) await expect(page).toHaveURL(server.url + from)
}

async function goBack(page: Page, subject: Subject, isTyped: boolean) {
  await page.goBack()
  if (isTyped && subject.asks) await question(page).getByRole('button', { name: 'Leave', exact: true }).click()
}

type Cell = { readonly step: Step; readonly subject: Subject; readonly value: string; readonly held: Route | null }

/** Disturbs a page; the waiting request goes on as the disturbance lets it. */
async function disturb(disturbance: Disturbance, page: Page, { step, subject, value, held }: Cell) {
  const context = page.context()
  const asksWhileSaving = subject.returns || subject === subjects.settings
  const isTyped = step === 'typed' || (step === 'saving' && asksWhileSaving)
  const go = () => held?.continue().catch(() => undefined)
  switch (disturbance) {
    case 'back':
    case 'forward':
      await goBack(page, subject, isTyped)
      await go()
      if (disturbance === 'forward') await page.goForward()
      return
    case 'reload':
      await page.reload()
      return void (await go())
    case 'second tab': {
      const second = await context.newPage()
      await second.goto(server.url + (subject.link ?? subject.from))
      await expect(subject.field(second)).toBeVisible()
      if (step === 'typed' && subject.asks) await expect(offer(second)).toBeVisible()
      await second.close()
      if (step === 'typed') await expect(subject.field(page)).toHaveValue(value)
      return void (await go())
    }
    case 'killed tab':
      await page.close()
      return void (await go())
    case 'lost network':
      await context.setOffline(true)
      await held?.abort('internetdisconnected')
      if (step === 'typed') {
        await subject.save(page)
        await expect(page.getByText(/on this device/).first()).toBeVisible()
      }
      return context.setOffline(false)
    case 'ended session': {
      await context.clearCookies()
      if (step === 'typed') await subject.save(page)
      const { cookie: _cookie, ...headers } = (await held?.request().allHeaders()) ?? {}
      await held?.continue({ headers })
      if (step === 'typed' || step === 'saving') await expect(page.locator('main')).toContainText(/device|sign in/i)
    }
  }
}

/** Whoever comes back finds the text saved, or is offered it and can save it; nothing is offered that was not lost. */
async function expectGoodEnd(page: Page, { step, subject, value }: Cell, before: string) {
  const { field, stored, save } = subject
  await openAfresh(page, subject)
  if (step === 'opened' || step === 'saved') {
    const expected = step === 'saved' ? value : before
    expect(await stored()).toBe(expected)
    await expect(field(page)).toHaveValue(expected)
    return expect(offer(page)).toHaveCount(0)
  }
  await expect
    .poll(async () => (await stored()) === value || (await offer(page).isVisible()) || !subject.asks)
    .toBe(true)
  if ((await stored()) !== value) {
    if (subject.asks) await offer(page).click()
    await expect(field(page)).toHaveValue(value)
    await save(page)
    await expectSaved(page, subject, value)
    if (step !== 'saving') return
  }
  // A save that was under way may have been stored after the page was loaded.
  await openAfresh(page, subject)
}

async function signIn(request: APIRequestContext) {
  const { email, password } = admin
  const reply = await request.post(`${server.url}/api/auth/sign-in`, {
    headers: { origin: server.url },
    data: { email, password },
  })
  expect(reply.status()).toBe(200)
  return (await request.storageState()).cookies
}

for (const name of ['course', 'settings', 'question', 'case study', 'price'] as const)
  for (const step of steps)
    test(`an admin's edit of ${name === 'settings' ? 'the settings of an exam' : `a ${name}`}, ${step}, survives each disturbance`, async ({
      context,
      problems,
    }) => {
      problems.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|status of 401|status of 409/)
      await context.addCookies(cookies)
      const subject = subjects[name]
      // Loading pages is what takes time here: a page is used until it is killed.
      let page = await open(context, subject)
      for (const disturbance of disturbances)
        await test.step(`${step}, ${disturbance}`, async () => {
          await openHere(page, subject)
          const before = await subject.stored()
          const value = subject.values.next().value
          const cell = { step, subject, value, held: await bringTo(step, page, subject, value) }
          await disturb(disturbance, page, cell)
          await context.addCookies(cookies)
          if (page.isClosed()) page = await open(context, subject)
          await expectGoodEnd(page, cell, before)
        })
    })

test('what is typed while a save is under way stays on the device when the save succeeds', async ({ context }) => {
  await context.addCookies(cookies)
  const subject = subjects.course
  const page = await open(context, subject)
  const [first, second] = [subject.values.next().value, subject.values.next().value]
  const held = (await bringTo('saving', page, subject, first))!
  await subject.field(page).fill(second)
  const replied = page.waitForResponse(subject.call)
  await held.continue()
  await (await replied).finished()
  await expect.poll(subject.stored).toBe(first)
  await openAfresh(page, subject)
  await offer(page).click()
  await expect(subject.field(page)).toHaveValue(second)
  await subject.save(page)
  await expectSaved(page, subject, second)
})
