import { asChoice } from '../support/choices.ts'
import { Layout } from '../../src/features/attempts/attempts.schema.ts'
import { Answer } from '../../src/features/questions/types/question-types.schema.ts'
import type { Question } from '../../src/features/questions/types/question-types.schema.ts'
import { randomInt } from 'node:crypto'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import sharp from 'sharp'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.server.ts'
import { openDatabase } from '../../src/db/open.server.ts'
import { hashPassword } from '../../src/features/accounts/argon2-gateway.server.ts'
import { storeImage } from '../../src/features/catalogue/images/images-commands.server.ts'
import { DAY_MS, MINUTE_MS } from '../../src/lib/time.ts'
import { aCourse, anExam, aQuestion } from '../support/build-course.ts'
import { makeLearner } from '../support/exam-takers.ts'
import { dataFolder, launch, untilReady, type ServerProcess } from './server-process.ts'
import { expect, expectNoAxeViolations, expectNoOverflow, test, untilHydrated, visit } from './e2e-test.ts'

/*
 * What happens to an exam while its network, its server, its session or its clock fails. It has a server and a database of
 * its own, so that nobody else minds: where time has to pass, the page's clock or the deadline in the database is moved.
 */

const PASSWORD = 'Correct-Horse-7!'
let folder: Awaited<ReturnType<typeof dataFolder>>
let server: ServerProcess
let embedded: Awaited<ReturnType<typeof startEmbedded>>
let database: ReturnType<typeof openDatabase>
let course: Awaited<ReturnType<typeof aCourse>>
let exam: Awaited<ReturnType<typeof anExam>>

test.beforeAll(async () => {
  test.setTimeout(120_000)
  folder = await dataFolder()
  server = launch(folder.path, await freePort(), { DEMO_CATALOGUE: 'off' })
  await untilReady(server)
  embedded = await startEmbedded({ dataDir: folder.path })
  database = openDatabase(embedded.url, { connections: 4 })
  course = await aCourse(database.db, { title: 'Exams in bad weather' })
  const questions = Array.from({ length: 8 }, (_, index) => aQuestion(index + 1))
  exam = await anExam(database.db, course.id, { questions, timeLimitMinutes: 31 })
})
test.afterAll(async () => {
  await database.close()
  await embedded.stop()
  server.child.kill('SIGTERM')
  await server.ended
  await folder.remove()
})

async function signInAs(context: BrowserContext) {
  const passwordHash = await hashPassword(PASSWORD)
  const learner = await makeLearner(database.db, { dataDir: folder.path, courseId: course.id, passwordHash })
  await context.addCookies([{ ...learner.cookie, url: server.url }])
  return learner
}

const addressOf = (slug: string, mode: string) => `${server.url}/course/${course.slug}/exam/${slug}/${mode}`
async function start(page: Page, slug = exam.slug) {
  await visit(page, addressOf(slug, 'timed'))
  await page.getByRole('button', { name: 'Start exam', exact: true }).click()
  await expect(page.getByText('Question 1 of')).toBeVisible()
}

const answers = (page: Page) =>
  page.getByRole('group').getByRole('radio').or(page.getByRole('group').getByRole('checkbox'))
const saved = (page: Page) => page.getByText('All answers saved')
const offline = (page: Page) => page.getByText('Offline: answers are kept on this device')
const goTo = (page: Page, number: number) =>
  page
    .getByRole('navigation', { name: 'Questions' })
    .getByRole('button', { name: new RegExp(`^${number},`) })
    .click()

async function choose(page: Page, number: number, place: number) {
  await goTo(page, number)
  await answers(page).nth(place).check()
}
async function expectChosen(page: Page, chosen: Readonly<Record<number, number>>) {
  for (const [number, place] of Object.entries(chosen)) {
    await goTo(page, Number(number))
    await expect(answers(page).nth(place)).toBeChecked()
  }
}
async function submit(page: Page) {
  await page.getByRole('button', { name: 'Finish exam' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click()
  await expect(page).toHaveURL(/\/exam-review\//)
}

/** A learner's newest attempt, with what was chosen by its place on the page: `{ 1: 0 }` is answer A of question 1. */
async function storedOf({ id }: { id: string }) {
  const attempt = await database.db
    .selectFrom('attempts')
    .where('user_id', '=', id)
    .orderBy('started_at', 'desc')
    .select(['id', 'state', 'layout', 'started_at', 'deadline_at', 'finished_at', 'finished_by'])
    .executeTakeFirstOrThrow()
  const rows = await database.db
    .selectFrom('attempt_answers')
    .where('attempt_id', '=', attempt.id)
    .select(['question_id', 'answer'])
    .execute()
  const layout = Layout.parse(attempt.layout)
  const chosen: Record<number, number> = {}
  for (const { question_id: id, answer } of rows) {
    const place = layout.findIndex(({ question }) => question === id)
    const given = Answer.nullable().parse(answer)
    const [optionId] = given === null ? [] : asChoice(given).optionIds
    if (optionId !== undefined) chosen[place + 1] = asChoice(layout[place]!.shape).optionIds.indexOf(optionId)
  }
  return { ...attempt, chosen }
}

const noNetwork = /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_|ERR_EMPTY_RESPONSE|ERR_SOCKET|Failed to load resource/

/** The number of answers that the device stores for the server. */
const unsentOnDevice = (page: Page) =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('altocert')
      request.addEventListener('success', () => resolve(request.result))
    })
    const queues = await new Promise<{ unsent: object }[]>((resolve) => {
      const request = database.transaction('answer-queues').objectStore('answer-queues').getAll()
      request.addEventListener('success', () => resolve(request.result as { unsent: object }[]))
    })
    database.close()
    return queues.reduce((sum, { unsent }) => sum + Object.keys(unsent).length, 0)
  })

test('the network is gone for a minute in the middle of a timed exam: nothing is lost, and the clock runs on', async ({
  page,
  context,
  problems,
}) => {
  problems.allow(noNetwork)
  await page.clock.install()
  const learner = await signInAs(context)
  await start(page)
  await choose(page, 1, 0)
  await expect(saved(page)).toBeVisible()

  await context.setOffline(true)
  const chosen: Record<number, number> = { 1: 2, 2: 1, 3: 0, 5: 3 }
  for (const [number, place] of Object.entries(chosen)) await choose(page, Number(number), place)
  await page.keyboard.press('f')
  await expect(offline(page)).toBeVisible()
  await page.clock.fastForward(MINUTE_MS)
  await expect(page.getByRole('timer')).toHaveText(/^29:/)
  await choose(page, 6, 1)
  await expect(offline(page)).toBeVisible()
  expect((await storedOf(learner)).chosen).toEqual({ 1: 0 })

  await context.setOffline(false)
  await expect(saved(page)).toBeVisible()
  expect((await storedOf(learner)).chosen).toEqual({ ...chosen, 6: 1 })
  await page.reload()
  await untilHydrated(page)
  await expectChosen(page, { ...chosen, 6: 1 })
  await goTo(page, 5)
  await expect(page.getByRole('button', { name: 'Flag', exact: true, pressed: true })).toBeVisible()
})

test('on a phone, what could not be checked or submitted is said in sight, and not any more when the network is back', async ({
  page,
  context,
  problems,
}) => {
  problems.allow(noNetwork)
  await signInAs(context)
  await page.setViewportSize({ width: 375, height: 480 })
  await visit(page, addressOf(exam.slug, 'practice'))
  await answers(page).first().check()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Check answer' }).click()
  const failure = page.getByText('No internet connection. Please check your network and try again.')
  await expect(failure).toBeInViewport({ ratio: 1 })
  await context.setOffline(false)
  await expect(failure).toHaveCount(0)
  await page.getByRole('button', { name: 'Check answer' }).click()
  await expect(page.getByRole('heading', { name: 'Explanation' })).toBeVisible()

  await context.setOffline(true)
  await page.getByRole('button', { name: 'Finish exam' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click()
  const refused = page.getByText('Your answers could not be submitted')
  await expect(refused).toBeInViewport({ ratio: 1 })
  await expectNoOverflow(page)
  await context.setOffline(false)
  await expect(refused).toHaveCount(0)
  await page.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click()
  await expect(page).toHaveURL(/\/exam-review\//)
})

test('the server is killed with -9 and started again under an open exam, and the page goes on by itself', async ({
  page,
  context,
  problems,
}) => {
  problems.allow(noNetwork)
  const learner = await signInAs(context)
  await start(page)
  await choose(page, 1, 0)
  await expect(saved(page)).toBeVisible()
  server.child.kill('SIGKILL')
  await server.ended
  await choose(page, 2, 1)
  await choose(page, 3, 2)
  await expect(offline(page)).toBeVisible()
  await page.getByRole('button', { name: 'Finish exam' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click()
  await expect(page.getByText('Your answers could not be submitted')).toBeVisible()
  await page.keyboard.press('Escape')

  server = launch(folder.path, Number(new URL(server.url).port), { DEMO_CATALOGUE: 'off' })
  await untilReady(server)
  // Nobody clicks anything: the page tries again, at the latest after half a minute.
  await expect(saved(page)).toBeVisible({ timeout: 40_000 })
  expect((await storedOf(learner)).chosen).toEqual({ 1: 0, 2: 1, 3: 2 })
  await submit(page)
})

test('a server that does not reply is said as unsaved answers, which arrive when it goes on', async ({
  page,
  context,
}) => {
  const learner = await signInAs(context)
  await start(page)
  server.child.kill('SIGSTOP')
  try {
    await choose(page, 1, 0)
    await expect(page.getByText('1 unsaved')).toBeVisible()
    await choose(page, 2, 0)
    await expect(page.getByText('2 unsaved')).toBeVisible()
  } finally {
    server.child.kill('SIGCONT')
  }
  await expect(saved(page)).toBeVisible()
  expect((await storedOf(learner)).chosen).toEqual({ 1: 0, 2: 0 })
})

test('a page that is reloaded at random moments ends with what was clicked last', async ({ page, context }) => {
  const learner = await signInAs(context)
  await start(page)
  const steps = Array.from({ length: 30 }, () => ({
    number: randomInt(8) + 1,
    place: randomInt(4),
    isReload: randomInt(4) === 0,
  }))
  const chosen: Record<number, number> = {}
  for (const { number, place, isReload } of steps) {
    await choose(page, number, place)
    chosen[number] = place
    // At once: the save may not even have left.
    if (isReload) {
      await page.reload()
      await untilHydrated(page)
    }
  }
  await expect(saved(page)).toBeVisible()
  expect((await storedOf(learner)).chosen, JSON.stringify(steps)).toEqual(chosen)
  await page.reload()
  await untilHydrated(page)
  await expectChosen(page, chosen)
})

const moveDeadline = (learner: { id: string }, deadline: Date) =>
  database.db.updateTable('attempts').set({ deadline_at: deadline }).where('user_id', '=', learner.id).execute()

/** Not much time is left; the page hears of it with its next save. */
async function endSoon(page: Page, learner: { id: string }, chosen: [number: number, place: number]) {
  await moveDeadline(learner, new Date(Date.now() + 30_000))
  await choose(page, ...chosen)
  await expect(saved(page)).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(/^0?0:[0-3]/)
}
const timeIsUp = (page: Page) => page.getByText('Time is up. Your answers are being submitted.')

test('the clock runs out while offline, and the page is back within 30 seconds: everything counts', async ({
  page,
  context,
  problems,
}) => {
  problems.allow(noNetwork)
  await page.clock.install()
  const learner = await signInAs(context)
  await start(page)
  await endSoon(page, learner, [1, 0])
  await context.setOffline(true)
  await choose(page, 2, 1)
  await page.clock.fastForward(30_000)
  await expect(timeIsUp(page)).toBeVisible()
  await expect(answers(page).first()).toBeDisabled()
  await moveDeadline(learner, new Date())
  await context.setOffline(false)
  await expect(page).toHaveURL(/\/exam-review\//)
  const { chosen, finished_by, finished_at, deadline_at } = await storedOf(learner)
  expect(chosen).toEqual({ 1: 0, 2: 1 })
  expect([finished_by, finished_at]).toEqual(['deadline', deadline_at])
})

test('the clock runs out while offline for longer: the sweep submits at the deadline, and what comes later is shown as too late', async ({
  page,
  context,
  problems,
}) => {
  problems.allow(noNetwork)
  problems.allow(/409/)
  await page.clock.install()
  const learner = await signInAs(context)
  await start(page)
  await endSoon(page, learner, [1, 0])
  await context.setOffline(true)
  await choose(page, 2, 1)
  await page.clock.fastForward(30_000)
  await expect(timeIsUp(page)).toBeVisible()
  // Half a minute later, without the wait.
  const deadline = new Date(Date.now() - MINUTE_MS)
  await moveDeadline(learner, deadline)
  await expect.poll(async () => (await storedOf(learner)).state, { timeout: 40_000 }).toBe('finished')
  expect(await storedOf(learner)).toMatchObject({ finished_by: 'deadline', finished_at: deadline, chosen: { 1: 0 } })

  await context.setOffline(false)
  await expect(page).toHaveURL(/\/exam-review\//)
  await expect(page.getByText('Arrived too late to count: 1.')).toBeVisible()
  expect((await storedOf(learner)).chosen).toEqual({ 1: 0 })
})

test('a session that runs out is renewed in another tab, and the page goes on with every answer', async ({
  page,
  context,
  problems,
}) => {
  problems.allow(/401|404/)
  const learner = await signInAs(context)
  await start(page)
  await choose(page, 1, 0)
  await expect(saved(page)).toBeVisible()
  await database.db.deleteFrom('sessions').where('user_id', '=', learner.id).execute()
  await choose(page, 2, 1)
  await expect(page.getByText('Your session has ended. Your answers are kept on this device.')).toBeVisible()
  await expect(page.getByText('1 unsaved')).toBeVisible()
  await choose(page, 3, 2)
  await expectNoAxeViolations(page)
  // To submit is to be told the same.
  await page.getByRole('button', { name: 'Finish exam' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click()
  await expect(page.getByText('Your answers could not be submitted')).toBeVisible()
  await page.keyboard.press('Escape')

  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Sign in again' }).click()
  const login = await opened
  await untilHydrated(login)
  const signIn = async ({ email }: { email: string }) => {
    await login.getByLabel('Email address').fill(email)
    await login.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await login.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(login).not.toHaveURL(/\/login/)
  }
  // First as somebody else: nothing of the exam goes to them, and nothing of it is lost.
  const somebodyElse = await makeLearner(database.db, {
    dataDir: folder.path,
    courseId: course.id,
    passwordHash: await hashPassword(PASSWORD),
  })
  await signIn(somebodyElse)
  await page.getByRole('button', { name: 'I have signed in' }).click()
  await expect(page.getByText('This exam is not in the account that is signed in now.')).toBeVisible()
  await login.getByRole('button', { name: 'Sign Out' }).click()
  await expect(login.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
  // The sign-out in this browser leaves answers that the server does not have.
  expect(await unsentOnDevice(login)).toBeGreaterThan(0)

  await visit(login, `${server.url}/login`)
  await signIn(learner)
  await page.getByRole('button', { name: 'I have signed in' }).click()
  await expect(saved(page)).toBeVisible()
  await expect(page.getByText('Question 3 of')).toBeVisible()
  expect((await storedOf(learner)).chosen).toEqual({ 1: 0, 2: 1, 3: 2 })
  await submit(page)
})

for (const [name, offset] of [
  ['behind', -DAY_MS],
  ['ahead', DAY_MS],
] as const)
  test(`a browser whose clock is a day ${name} has the same time as everybody`, async ({ page, context }) => {
    await page.clock.install({ time: Date.now() + offset })
    const learner = await signInAs(context)
    await start(page)
    expect(await page.evaluate(() => Date.now())).toBeGreaterThan(Date.now() + offset - MINUTE_MS)
    await expect(page.getByRole('timer')).toHaveText(/^30:[0-5]\d$/)
    await choose(page, 1, 0)
    await expect(saved(page)).toBeVisible()
    await page.reload()
    await untilHydrated(page)
    await expect(page.getByRole('timer')).toHaveText(/^30:[0-5]\d$/)
    await expectChosen(page, { 1: 0 })
    await submit(page)
    const { finished_at, finished_by, started_at } = await storedOf(learner)
    expect(finished_by).toBe('learner')
    expect(finished_at!.getTime() - started_at.getTime()).toBeLessThan(MINUTE_MS)
    expect(Math.abs(Date.now() - started_at.getTime())).toBeLessThan(MINUTE_MS)
  })

test('the clock is read out at its thresholds and when it is asked for, and never in between', async ({
  page,
  context,
}) => {
  await page.clock.install()
  await signInAs(context)
  await start(page)
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(window, { said })
    const live = document.querySelector('p[aria-live=polite]')!
    new MutationObserver(() => said.push(live.textContent)).observe(live, {
      childList: true,
      characterData: true,
      subtree: true,
    })
  })
  const said = () => page.evaluate(() => (window as unknown as { said: string[] }).said.splice(0))
  const pass = async (seconds: number) => {
    await page.clock.fastForward(seconds * 1000)
    await page.clock.runFor(1000)
  }
  await pass(20)
  expect(await said()).toEqual([])
  await pass(60)
  expect(await said()).toEqual(['30 minutes left'])
  for (let minute = 0; minute < 5; minute += 1) await pass(60)
  expect(await said()).toEqual([])
  await page.keyboard.press('t')
  await expect.poll(said).toEqual([expect.stringMatching(/^2[34] minutes left$/)])
  await pass(15 * 60)
  expect(await said()).toEqual(['10 minutes left'])
  await pass(5 * 60)
  expect(await said()).toEqual(['5 minutes left'])
  await pass(3 * 60)
  expect(await said()).toEqual([])
  await pass(60)
  expect(await said()).toEqual(['1 minute left'])
})

test('no byte that reaches the browser during a timed attempt holds a key or an explanation', async ({
  page,
  context,
}) => {
  const secretExam = await anExam(database.db, course.id, {
    questions: Array.from({ length: 12 }, (_, index) =>
      aQuestion(index + 1, { answers: 2 + (index % 5), right: index % 3 === 0 ? 2 : 1 }),
    ),
  })
  await signInAs(context)
  const received: { url: string; text: string }[] = []
  // Nothing is changed on the way: a body can't be asked for any more once the page has moved on.
  await context.route('**/*', async (route) => {
    // A stream that never ends can't be read to its end. It names rows: `realtime.server.test.ts` says what it may hold.
    if (new URL(route.request().url()).pathname === '/api/realtime') return route.continue()
    const response = await route.fetch()
    received.push({ url: response.url(), text: `${JSON.stringify(response.headers())}\n${await response.text()}` })
    await route.fulfill({ response })
  })
  await visit(page, `${server.url}/course/${course.slug}`)
  await visit(page, `${server.url}/course/${course.slug}/exam/${secretExam.slug}`)
  await start(page, secretExam.slug)
  for (let number = 1; number <= 12; number += 1) {
    await goTo(page, number)
    await page.keyboard.press('f')
    await page.keyboard.press('u')
  }
  await expect(saved(page)).toBeVisible()
  await page.reload()
  await untilHydrated(page)
  await expect(page.getByText(/^Question \d+ of/)).toBeVisible()
  const attemptId = await page.evaluate(async () => {
    const [, , , , slug] = location.pathname.split('/')
    const reply = await fetch('/api/attempts', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ examSlug: slug, mode: 'timed' }),
    })
    return ((await reply.json()) as { id: string }).id
  })
  await page.evaluate(async (id) => {
    for (const rest of ['', '/clock']) await fetch(`/api/attempts/${id}${rest}`)
  }, attemptId)
  await page.getByRole('button', { name: 'Finish exam' }).click()
  received.push({ url: 'the document', text: await page.content() })
  await page.keyboard.press('Escape')

  const isScript = ({ url }: { url: string }) => /\.(js|css|woff2)(\?|$)/.test(url)
  const everything = received.map(({ text }) => text).join('\n')
  expect(everything).not.toContain('SECRET-EXPLANATION')
  // Scripts are the same for everybody, so they know no question; the rest has no field for a key.
  expect(received.some(isScript)).toBe(true)
  const scripts = received.filter(isScript).map(({ text }) => text)
  const spoken = received.filter((one) => !isScript(one)).map(({ text }) => text)
  for (const { id } of secretExam.questions) {
    expect(scripts.join('\n')).not.toContain(id)
    expect(spoken.join('\n')).toContain(id)
  }
  for (const field of ['isRight', 'rightAnswer', 'suggested', 'mostVoted', 'final_answer', 'docs.example.com'])
    expect(spoken.join('\n')).not.toContain(field)
  expect(spoken.join('\n')).not.toMatch(/"explanation":"[^"]/)
  // And whatever else a key might hide in: right answers are named exactly as often as wrong ones.
  for (const question of secretExam.questions) {
    const counts = question.options.map(({ id }) => everything.split(new RegExp(`${id}(?![0-9])`)).length - 1)
    expect(new Set(counts).size, `${question.id}: ${counts.join(' ')}`).toBe(1)
  }
})

test('a question with too much of everything fits a narrow phone and a zoomed page, and the keyboard alone answers it', async ({
  page,
  context,
}) => {
  const wide = await sharp({ create: { width: 1600, height: 200, channels: 3, background: '#3468c0' } })
    .png()
    .toBuffer()
  const diagram = await storeImage(database.db, wide, { actorId: null, now: new Date() })
  const much: Question = {
    ...aQuestion(1, { answers: 6, right: 2 }),
    stem: `${'A sentence of a long policy. '.repeat(350)}\n\n\`\`\`json\n${`{"Action":"${'s3:GetObject'.repeat(40)}"}\n`.repeat(15)}\`\`\`\n\n${'unbroken'.repeat(300)}\n\n![A diagram](${diagram.address})`,
  }
  expect(much.stem.length).toBeGreaterThan(20_000)
  const two = { ...aQuestion(2, { answers: 2 }), stem: 'Only *two* answers, and `code`?' }
  const bigExam = await anExam(database.db, course.id, { questions: [much, two] })
  await signInAs(context)
  await visit(page, addressOf(bigExam.slug, 'practice'))
  await expect(page.getByText('Question 1 of 2')).toBeVisible()
  await expect(page.getByRole('img', { name: 'A diagram' })).toBeAttached()

  // Choose 2: a third is not refused, but said.
  for (const key of ['1', 'b']) await page.keyboard.press(key)
  await expect(page.getByText('Choose 2, 2 chosen')).toBeVisible()
  await page.keyboard.press('6')
  await expect(page.getByText('3 chosen: more than are asked for')).toBeVisible()
  for (const place of [0, 1, 5]) await expect(answers(page).nth(place)).toBeChecked()
  for (const width of [320, 640, 720]) {
    await page.setViewportSize({ width, height: 640 })
    await expectNoOverflow(page)
    await expectNoAxeViolations(page)
  }
  await page.setViewportSize({ width: 320, height: 640 })
  await page.getByRole('button', { name: 'Finish exam' }).click()
  await expect(page.getByRole('dialog').getByText('More or fewer answers than asked for')).toBeVisible()
  await expectNoOverflow(page)
  await expectNoAxeViolations(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('6')
  await expect(page.getByText('Choose 2, 2 chosen')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('Question 2 of 2')).toBeVisible()
  await expect(answers(page)).toHaveCount(2)
  await page.keyboard.press('3')
  await page.keyboard.press('c')
  await expect(answers(page).and(page.locator(':checked'))).toHaveCount(0)
  await page.keyboard.press('a')
  await expect(answers(page).nth(0)).toBeChecked()
  await page.getByRole('button', { name: 'Check answer' }).press('Enter')
  await expect(page.getByRole('heading', { name: /explanation/i })).toBeVisible()
  await expectNoOverflow(page)
})

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('images of questions open in offline practice, and leave the device with their exam', async ({
    page,
    context,
    problems,
  }) => {
    problems.allow(noNetwork)
    const plain = await sharp({ create: { width: 640, height: 200, channels: 3, background: '#3468c0' } })
      .png()
      .toBuffer()
    const image = await storeImage(database.db, plain, { actorId: null, now: new Date() })
    const question = { ...aQuestion(1), stem: `What does it show?\n\n![A diagram](${image.address})` }
    const illustrated = await anExam(database.db, course.id, { questions: [question, aQuestion(2)] })
    await signInAs(context)
    await visit(page, addressOf(illustrated.slug, '').replace(/\/$/, ''))
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.getByRole('button', { name: 'Keep for offline practice' }).click()
    await expect(page.getByText(/^On this device until/)).toBeVisible()
    // The browser's own cache is not asked: the image was never on a page.
    await context.setOffline(true)
    await page.getByRole('link', { name: /^Practice offline: / }).click()
    await expect(page.getByText('Question 1 of 2')).toBeVisible()
    const pictured = () =>
      page.evaluate(async (address) => {
        const reply = await fetch(address).catch(() => null)
        return reply === null ? null : reply.ok && (await createImageBitmap(await reply.blob())).width
      }, image.address)
    expect(await pictured()).toBe(640)
    await context.setOffline(false)
    await visit(page, addressOf(illustrated.slug, '').replace(/\/$/, ''))
    await page.getByRole('button', { name: 'Remove from this device' }).click()
    await expect(page.getByRole('button', { name: 'Keep for offline practice' })).toBeVisible()
    expect(await page.evaluate(() => caches.has('altocert-pack-images'))).toBe(false)
  })
})

test('an exam of a thousand questions opens, jumps to its last one and saves it', async ({ page, context }) => {
  const questions = Array.from({ length: 1000 }, (_, index) => aQuestion(index + 1))
  const bigExam = await anExam(database.db, course.id, { questions })
  const learner = await signInAs(context)
  await page.setViewportSize({ width: 320, height: 640 })
  await start(page, bigExam.slug)
  await choose(page, 1000, 3)
  await expect(page.getByText('Question 1000 of 1000')).toBeVisible()
  await expect(saved(page)).toBeVisible()
  await expectNoOverflow(page)
  expect((await storedOf(learner)).chosen).toEqual({ 1000: 3 })
})

/** A proxy that lets only the first question of a started exam pass, until the test says how the reply goes on. */
async function anExamInParts() {
  let decide: (how: 'arrives' | 'breaks off') => void = () => {}
  const decided = new Promise<'arrives' | 'breaks off'>((resolve) => (decide = resolve))
  const proxy = createServer((near, reply) => {
    const { 'accept-encoding': _compressed, ...headers } = near.headers
    const isStart = near.method === 'POST' && near.url?.endsWith('/api/attempts') === true
    const far = request(near.url ?? '', { method: near.method ?? 'GET', headers }, async (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      if (!isStart) return void answer.pipe(reply)
      const text = (await answer.toArray()).join('')
      const first = text.indexOf('\n') + 1
      expect(first).toBeGreaterThan(0)
      reply.write(text.slice(0, first))
      if ((await decided) === 'arrives') reply.end(text.slice(first))
      else reply.destroy()
    })
    far.on('error', () => reply.destroy())
    near.pipe(far)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    server: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    arrives: () => decide('arrives'),
    breaksOff: () => decide('breaks off'),
    close: () => {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

async function startPracticeBehind({ server: proxy }: { server: string }, browser: Browser) {
  const context = await browser.newContext({ proxy: { server: proxy, bypass: '<-loopback>' }, serviceWorkers: 'block' })
  const page = await context.newPage()
  const learner = await signInAs(context)
  await visit(page, `${server.url}/course/${course.slug}/exam/${exam.slug}`)
  await page.getByRole('button', { name: 'Start exam: Practice' }).click()
  await expect(page.getByText('Question 1 of 8')).toBeVisible()
  return { page, learner }
}

test('the first question is answered before the others have arrived, and what is pressed meanwhile happens when they do', async ({
  browser,
}) => {
  const parts = await anExamInParts()
  const { page, learner } = await startPracticeBehind(parts, browser)
  const grid = page.getByRole('navigation', { name: 'Questions' })
  await answers(page).nth(1).check()
  await expect(saved(page)).toBeVisible()
  await expect(grid).toHaveCount(0)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Question 2 of 8')).toBeVisible()
  await expect(page.getByText('Loading the exam...')).toHaveCount(1)
  await expect(answers(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Flag' })).toBeDisabled()
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Finish exam' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  parts.arrives()
  await expect(page.getByRole('dialog').getByRole('button', { name: /^Go to question/ })).toHaveCount(7)
  await page.getByRole('dialog').getByRole('button', { name: 'Back to the questions' }).click()
  await expect(answers(page)).toHaveCount(4)
  await expect(grid.getByRole('button')).toHaveCount(8)
  await answers(page).nth(2).check()
  await page.getByRole('button', { name: 'Flag' }).click()
  await expectChosen(page, { 1: 1, 2: 2 })
  await submit(page)
  expect((await storedOf(learner)).chosen).toEqual({ 1: 1, 2: 2 })
  await page.context().close()
  parts.close()
})

test('questions that the network loses after the first one are asked for again, and the page says so until they are there', async ({
  browser,
}) => {
  const parts = await anExamInParts()
  const { page, learner } = await startPracticeBehind(parts, browser)
  await answers(page).nth(3).check()
  parts.breaksOff()
  await expect(page.getByText('The exam could not be loaded')).toBeVisible()
  await expect(answers(page).nth(3)).toBeChecked()
  await expect(page.getByRole('navigation', { name: 'Questions' }).getByRole('button')).toHaveCount(8)
  await expect(page.getByText('The exam could not be loaded')).toHaveCount(0)
  await choose(page, 8, 0)
  await expectChosen(page, { 1: 3, 8: 0 })
  await expect(saved(page)).toBeVisible()
  expect((await storedOf(learner)).chosen).toEqual({ 1: 3, 8: 0 })
  await page.context().close()
  parts.close()
})
