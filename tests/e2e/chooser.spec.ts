import type { Browser, Page } from '@playwright/test'
import { anOwnServer, type OwnServer } from './own-server.ts'
import { admin } from './shared-users.ts'
import { choose, expect, expectGoodPage, expectNoAxeViolations, expectNoOverflow, test, visit } from './e2e-test.ts'

// Choosing a course in a shop of hundreds, of which the wanted ones are at the end of the alphabet. The shop is this file's own.

const COURSES = 400
let server: OwnServer

test.beforeAll(async () => {
  server = await anOwnServer()
  await server.sql(`insert into courses (title, slug, price, updated_at)
    select 'Course ' || n, 'course-' || n, 5, now() - n * interval '1 minute' from generate_series(1, ${COURSES}) n;
    insert into courses (title, slug, price, status, updated_at) values
      ('Zither for Beginners', 'zither-first', 5, 'published', now() - interval '9 days'),
      ('Zither for Beginners', 'zither-second', 5, 'draft', now() - interval '10 days'),
      ('Zoology', 'zoology', 5, 'published', now() - interval '11 days')`)
})
test.afterAll(() => server.stop())

async function asAdmin(browser: Browser, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce', ...options })
  const { email, password } = admin
  const headers = { origin: server.url }
  const reply = await context.request.post('/api/auth/sign-in', { headers, data: { email, password } })
  expect(reply.status()).toBe(200)
  return context.newPage()
}

const userOf = async (page: Page) =>
  ((await (await page.request.get('/api/auth/session')).json()) as { user: { id: string } }).user.id

test('by keyboard alone and on a phone, access to the last course of the alphabet is given', async ({ browser }) => {
  const page = await asAdmin(browser)
  await page.setViewportSize({ width: 375, height: 700 })
  await visit(page, `/admin/manage-users/${await userOf(page)}`)
  await page.getByRole('button', { name: 'Give access' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('combobox', { name: 'Course' })
  const list = dialog.getByRole('listbox', { name: 'Course' })
  const options = list.getByRole('option')
  const active = () =>
    field.evaluate((input) => {
      const id = input.getAttribute('aria-activedescendant')
      return id === null ? null : document.getElementById(id)?.firstChild?.textContent
    })
  for (let tabs = 0; tabs < 5 && !(await field.evaluate((input) => input === document.activeElement)); tabs += 1)
    await page.keyboard.press('Tab')
  await expect(field).toBeFocused()
  await expect(list).toHaveCount(0)

  await test.step('before anybody types, those that changed last are listed, and how many more there are', async () => {
    await page.keyboard.press('ArrowDown')
    await expect(options).toHaveCount(20)
    await expect(field).toHaveAttribute('aria-expanded', 'true')
    await expect.poll(active).toBe('Course 1')
    await expect(dialog.getByText('383 more. Type a part of a title to find them.')).toBeVisible()
    await expect(dialog.getByRole('status')).toHaveText('403 found. The first 20 are listed.')
    await expectNoOverflow(page)
    await expectNoAxeViolations(page)
    const { x, y, width, height } = (await list.boundingBox())!
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(375)
    expect(y + height).toBeLessThanOrEqual(700)
    for (const option of await options.all()) expect((await option.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  })

  await test.step('the arrows go round, Home and End reach both ends, and what is reached is in sight', async () => {
    await page.keyboard.press('ArrowUp')
    await expect.poll(active).toBe('Course 20')
    await expect(options.last()).toBeInViewport()
    await page.keyboard.press('Home')
    await expect.poll(active).toBe('Course 1')
    await page.keyboard.press('End')
    await expect.poll(active).toBe('Course 20')
    await page.keyboard.press('ArrowDown')
    await expect.poll(active).toBe('Course 1')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(field).toHaveValue('Course 2')
    await expect(list).toHaveCount(0)
  })

  await test.step('Escape closes the list and gives back what was chosen, and the dialog stays', async () => {
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('nothing of the kind')
    await expect(dialog.getByText('Nothing fits.').last()).toBeVisible()
    await expect(dialog.getByRole('status')).toHaveText('Nothing fits.')
    await page.keyboard.press('Escape')
    await expect(field).toHaveValue('Course 2')
    await expect(dialog).toBeVisible()
    await expect(field).toBeFocused()
  })

  await test.step('courses of one title are told apart, and the one is chosen', async () => {
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('zith')
    await expect(options).toHaveText([
      'Zither for BeginnersPublished, 0 exams, zither-first',
      'Zither for BeginnersDraft, 0 exams, zither-second',
    ])
    expect(await active()).toBe(null)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('zoo')
    await expect(options).toHaveCount(1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(field).toHaveValue('Zoology')
  })

  await test.step('the arrow upwards begins at the end, and Tab takes what is reached', async () => {
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Backspace')
    await expect(options).toHaveCount(20)
    await page.keyboard.press('Escape')
    await expect(field).toHaveValue('Zoology')
    await page.keyboard.press('ArrowUp')
    await expect.poll(active).toBe('Course 20')
    await page.keyboard.press('Tab')
    await expect(field).toHaveValue('Course 20')
    await expect(list).toHaveCount(0)
    await field.fill('zoo')
    await expect(options).toHaveCount(1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(field).toHaveValue('Zoology')
  })

  await test.step('it is this course that is given', async () => {
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('A test of the keyboard')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 3, name: 'Zoology' })).toBeVisible()
  })
  await page.context().close()
})

test('what is typed and not chosen gives nothing, and says so at the field', async ({ browser }) => {
  const page = await asAdmin(browser)
  await visit(page, `/admin/manage-users/${await userOf(page)}`)
  await page.getByRole('button', { name: 'Give access' }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('combobox', { name: 'Course' })
  await choose(dialog, 'Course', 'course 77', /^Course 77/)
  await field.fill('zoo')
  await dialog.getByLabel('Reason, for the audit log').fill('None')
  await dialog.getByRole('button', { name: /^Give \d+ days$/ }).click()
  await expect(dialog.getByText('Choose a course.')).toBeVisible()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveValue('zoo')
  await expectGoodPage(page)
  await page.context().close()
})

test('a search that fails says so and can be tried again; an older reply never comes after a newer one', async ({
  browser,
}) => {
  const page = await asAdmin(browser)
  await visit(page, `/admin/manage-users/${await userOf(page)}`)
  await page.getByRole('button', { name: 'Give access' }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('combobox', { name: 'Course' })
  await page.context().setOffline(true)
  await field.fill('zoo')
  await expect(dialog.getByRole('alert')).toContainText('The search did not work; what you typed is still there.')
  await expectNoAxeViolations(page)
  await page.context().setOffline(false)
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByRole('option', { name: /^Zoology/ })).toBeVisible()
  await expect(field).toHaveValue('zoo')
  await expect(field).toBeFocused()

  const letGo = await server.hold('lock table courses in access exclusive mode')
  const asked = page.waitForRequest(/course-choices\?search=course$/)
  await field.fill('course')
  await asked
  await expect(dialog.getByRole('status')).toHaveText('Looking…')
  const givenUp = page.waitForEvent('requestfailed', (request) => request.url().endsWith('?search=course'))
  await field.fill('course 39')
  expect((await givenUp).failure()?.errorText).toContain('ABORTED')
  await letGo()
  await expect(dialog.getByRole('option')).toHaveCount(14)
  await expect(dialog.getByRole('option').first()).toHaveText(/^Course 39/)
  await page.context().close()
})

test('an import goes into a course that changed long ago, and then into its exam; the checks are narrowed to it', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  const page = await asAdmin(browser)
  const bring = async (text: string) => {
    await visit(page, '/admin/import')
    await page.getByLabel('Files or a zip file').setInputFiles({
      name: 'bank.gift',
      mimeType: 'text/plain',
      buffer: Buffer.from(`::First:: ${text} {\n=Amazon S3\n~AWS Lambda\n#### Amazon S3 keeps <b>objects</b>.\n}\n`),
    })
    await page.getByRole('button', { name: 'Read and judge' }).click()
    await expect(page.getByRole('region', { name: 'Result' })).toBeVisible()
  }
  await bring('Which service keeps objects?')
  await page.getByRole('radio', { name: /^A new exam in a course/ }).check()
  await choose(page, 'Course', 'zither', /zither-second/)
  await page.getByLabel('Title of the exam').fill('Strings')
  await expectGoodPage(page)
  await page.getByRole('button', { name: /^Store 1 question/ }).click()
  await expect(page.getByText('1 added, 0 changed.')).toBeVisible()

  await bring('Which service keeps many objects?')
  await page.getByRole('radio', { name: /^An existing exam/ }).check()
  await choose(page, 'Course', 'zither', /Draft, 1 exam, zither-second/)
  await choose(page, 'Exam', 'str', /^Strings/)
  await page.getByRole('button', { name: /^Store 1 question/ }).click()
  await expect(page.getByText('1 added, 0 changed.')).toBeVisible()

  await visit(page, '/admin/question-checks')
  await page.getByRole('button', { name: 'Check now' }).click()
  const course = page.getByRole('combobox', { name: 'Course' })
  await expect(course).toBeVisible({ timeout: 120_000 })
  await page.getByText('Cues for the test-wise: none stands out').click()
  const cues = page.getByRole('table', { name: 'Cues for the test-wise' })
  await expect(cues.getByRole('row', { name: /^the longest option \d+ \d+\.\d% 50\.0%$/ })).toBeVisible()
  await expectGoodPage(page)
  await course.click()
  // Only courses that have findings are offered, below all of them.
  const offered = page.getByRole('listbox', { name: 'Course' }).getByRole('option')
  await expect(offered).toHaveText([/^All$/, /^Zither for Beginners\d+ findings?, Draft/])
  await course.press('ArrowDown')
  await course.press('ArrowDown')
  await course.press('Enter')
  await expect(page).toHaveURL(/course=[0-9a-f-]{36}/)
  await expect(course).toHaveValue('Zither for Beginners')
  await expect(course).toBeFocused()
  await expectGoodPage(page)
  await course.click()
  await offered.first().click()
  await expect(course).toHaveValue('')
  await page.context().close()
})

test('the numbers of one course are chosen among hundreds, and a text that names several says so', async ({
  browser,
}) => {
  const page = await asAdmin(browser)
  await visit(page, '/admin/analytics')
  const html = await (await page.request.get('/admin/analytics')).text()
  expect(html).not.toContain('Course 300')
  const course = page.getByRole('combobox', { name: 'Course' })
  await choose(page, 'Course', 'zoo', /^Zoology/)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page).toHaveURL(/course=[0-9a-f-]{36}/)
  await expect(page).not.toHaveURL(/named/)
  await expect(course).toHaveValue('Zoology')
  // The address changes before the page does, and the page that comes fills the field in.
  await expect(page.getByRole('link', { name: '7 days' })).toHaveAttribute('href', /course=/)

  await course.fill('zither')
  await course.press('Enter')
  await expect(page.getByText(/^2 courses match “zither”/)).toBeVisible()
  await expect(course).toHaveValue('zither')
  await expectGoodPage(page)
  // Again by another part of what it is found by: the title stands in the field.
  for (const part of ['zither-second', 'ther-sec']) {
    await course.fill(part)
    await course.press('Enter')
    await expect(course).toHaveValue('Zither for Beginners')
  }
  await page.context().close()
})

test('without JavaScript what is typed names the course', async ({ browser }) => {
  const page = await asAdmin(browser, { javaScriptEnabled: false })
  await page.goto('/admin/analytics')
  const course = page.getByLabel('Course', { exact: true })
  const show = page.getByRole('button', { name: 'Show', exact: true })
  await course.fill('zoo')
  await show.click()
  await expect(course).toHaveValue('Zoology')
  // It stays chosen when nothing is typed anew, and another text counts more than it.
  await show.click()
  await expect(course).toHaveValue('Zoology')
  await course.fill('no such course')
  await show.click()
  await expect(page.getByText('No course matches “no such course”.')).toBeVisible()
  await course.fill('')
  await show.click()
  await expect(page.getByRole('heading', { name: 'Courses', exact: true })).toBeVisible()
  await page.context().close()
})

test('a coupon is for courses that are added one by one and taken off again', async ({ browser }) => {
  const page = await asAdmin(browser)
  await visit(page, '/admin/pricing')
  await page.getByRole('button', { name: 'New coupon' }).click()
  const dialog = page.getByRole('dialog', { name: 'New coupon' })
  await dialog.getByLabel('Code').fill('ZEDS')
  await dialog.getByLabel('Percent').last().fill('10')
  await dialog.getByRole('radio', { name: 'Selected courses' }).check()
  const field = dialog.getByRole('combobox', { name: 'Add a course' })
  await choose(dialog, 'Add a course', 'zoo', /^Zoology/)
  await expect(field).toHaveValue('')
  await expect(field).toBeFocused()
  await choose(dialog, 'Add a course', 'course 399', /^Course 399/)
  await choose(dialog, 'Add a course', 'zither-first', /zither-first/)
  const chosen = dialog.getByRole('list', { name: 'Selected courses' }).getByRole('listitem')
  await expect(chosen).toHaveCount(3)
  await dialog.getByRole('button', { name: 'Remove Course 399 from the list' }).click()
  await expect(chosen).toHaveCount(2)
  await expectGoodPage(page)
  await dialog.getByRole('button', { name: 'Create coupon' }).click()
  await expect(page.getByText('Zoology, Zither for Beginners')).toBeVisible()
  await page.context().close()
})

test('guests and learners load nothing of the chooser, and no device keeps it for offline use', async ({ browser }) => {
  const page = await asAdmin(browser)
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  for (const path of ['/', '/course/zoology', '/my-courses']) await visit(page, path)
  expect(loaded.filter((url) => url.includes('/assets/')).length).toBeGreaterThan(10)
  expect(loaded.filter((url) => /chooser/.test(url))).toEqual([])
  const worker = await (await page.request.get('/service-worker.js')).text()
  expect(worker).toContain('/assets/home-page')
  expect(worker.match(/[/]assets[/][^`"]*chooser[^`"]*/g)).toBe(null)
  await visit(page, '/admin/analytics')
  await expect.poll(() => loaded.some((url) => /chooser-list/.test(url))).toBe(true)
  await page.context().close()
})
