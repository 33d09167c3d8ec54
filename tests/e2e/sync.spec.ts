import { randomBytes } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { anOwnBrowser } from './own-browser.ts'
import { admin } from './shared-users.ts'
import { expect, expectGoodPage, signIn, test, visit } from './e2e-test.ts'

const aTitle = (of: string) => `${of} ${randomBytes(4).toString('hex')}`

async function anAdminAt(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await signIn(page, admin)
  await visit(page, '/admin/course-management')
  return page
}

async function addCourse(page: Page, title: string) {
  await page.getByRole('button', { name: 'New course' }).click()
  const form = page.getByRole('dialog', { name: 'New course' })
  await form.getByLabel('Title').fill(title)
  await form.getByLabel('Price in dollars').fill('12.50')
  await form.getByRole('button', { name: 'Save course' }).click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
}

async function rename(page: Page, from: string, to: string) {
  await page.getByRole('button', { name: `Edit course: ${from}` }).click()
  const form = page.getByRole('dialog', { name: 'Edit course' })
  await form.getByLabel('Title').fill(to)
  await form.getByRole('button', { name: 'Save course' }).click()
  await expect(page.getByRole('heading', { name: to })).toBeVisible()
}

const untilSaved = (page: Page) => expect(page.getByText('All changes are saved.')).toBeVisible({ timeout: 20_000 })

/** The titles that the server has, whatever a page shows. */
async function titlesOf(page: Page): Promise<string[]> {
  const reply = await page.request.get('/api/admin/courses')
  return ((await reply.json()) as { courses: { title: string }[] }).courses.map(({ title }) => title)
}

test('what an admin changes without a network is kept through a closed page, and sent when the network is back', async ({
  browser,
  problems,
}) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  const page = await anAdminAt(browser)
  const context = page.context()
  const title = aTitle('Kept')
  await addCourse(page, title)
  await untilSaved(page)
  expect(await titlesOf(page)).toContain(title)

  await context.setOffline(true)
  await rename(page, title, `${title} renamed`)
  const offlineTitle = aTitle('Offline')
  await addCourse(page, offlineTitle)
  await expect(page.getByText('Course updated locally but may not sync to cloud storage')).toBeVisible()
  await expect(page.getByText('Course saved locally but may not sync to cloud storage')).toBeVisible()
  await expect(page.getByText('2 changes on this device, not sent yet.')).toBeVisible()
  await expectGoodPage(page)
  await page.close()

  await context.setOffline(false)
  const later = await context.newPage()
  await visit(later, '/admin/course-management')
  await untilSaved(later)
  await expect(later.getByRole('heading', { name: `${title} renamed` })).toBeVisible()
  await expect.poll(() => titlesOf(later)).toEqual(expect.arrayContaining([`${title} renamed`, offlineTitle]))

  await later.getByRole('button', { name: `Delete: ${offlineTitle}` }).click()
  await expectGoodPage(later)
  await later.getByRole('dialog').getByRole('button', { name: 'Delete course' }).click()
  await expect(later.getByText('Course deleted successfully')).toBeVisible()
  await expect(later.getByRole('heading', { name: offlineTitle })).toHaveCount(0)
  await expect.poll(() => titlesOf(later)).not.toContain(offlineTitle)
  await context.close()
})

test('what an admin changes without a network outlives the browser: closed, started again, it is sent', async ({
  page,
}) => {
  await signIn(page, admin)
  const own = await anOwnBrowser()
  try {
    const before = await (await own.open()).newPage()
    await signIn(before, admin)
    await visit(before, '/admin/course-management')
    const title = aTitle('Outlives')
    await addCourse(before, title)
    await untilSaved(before)
    await before.context().setOffline(true)
    await rename(before, title, `${title} renamed`)
    const offlineTitle = aTitle('Offline')
    await addCourse(before, offlineTitle)
    await expect(before.getByText('2 changes on this device, not sent yet.')).toBeVisible()
    await own.close()
    const stored = await titlesOf(page)
    expect(stored).toContain(title)
    expect(stored).not.toContain(offlineTitle)

    // Any page sends it, not only the one on which it was made.
    const after = await (await own.open()).newPage()
    await visit(after, '/')
    await expect
      .poll(() => titlesOf(page), { timeout: 30_000 })
      .toEqual(expect.arrayContaining([`${title} renamed`, offlineTitle]))
    await visit(after, '/admin/course-management')
    await untilSaved(after)
    await expect(after.getByRole('heading', { name: offlineTitle })).toBeVisible()
  } finally {
    await own.remove()
  }
})

test('of two admins who change one course the second sees both versions and chooses', async ({ browser, problems }) => {
  problems.allow(/status of 409|ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  const ada = await anAdminAt(browser)
  const title = aTitle('Contested')
  await addCourse(ada, title)
  await untilSaved(ada)
  const ben = await anAdminAt(browser)
  await ben.context().setOffline(true)
  await rename(ben, title, `${title} by Ben`)
  await rename(ada, title, `${title} by Ada`)
  await untilSaved(ada)

  await ben.context().setOffline(false)
  await expect(ben.getByText(`${title} by Ben: changed elsewhere meanwhile`)).toBeVisible({ timeout: 20_000 })
  await expect(ben.getByText(`Title: ${title} by Ada`)).toBeVisible()
  await expectGoodPage(ben)
  await ben.getByRole('button', { name: 'Keep mine' }).click()
  await untilSaved(ben)
  expect(await titlesOf(ben)).toContain(`${title} by Ben`)
  // What one admin does reaches the other's open page.
  await expect(ada.getByRole('heading', { name: `${title} by Ben` })).toBeVisible({ timeout: 20_000 })
  await ada.context().close()
  await ben.context().close()
})

test('the forms say what is wrong in the words of the shop, and an exam gets its questions as JSON', async ({
  browser,
}) => {
  const page = await anAdminAt(browser)
  await page.getByRole('button', { name: 'New course' }).click()
  const form = page.getByRole('dialog', { name: 'New course' })
  await form.getByLabel('Price in dollars').fill('10000')
  await form.getByRole('button', { name: 'Save course' }).click()
  await expect(form.getByText('Course title is required')).toBeVisible()
  await expect(form.getByText('Price cannot exceed $9,999.99')).toBeVisible()
  await expectGoodPage(page)
  await form.getByRole('button', { name: 'Cancel' }).click()

  const title = aTitle('With exam')
  await addCourse(page, title)
  await page.getByRole('button', { name: `Add exam: ${title}` }).click()
  const exam = page.getByRole('dialog', { name: `New exam in ${title}` })
  await exam.getByLabel('Exam title').fill('First exam')
  const question = { id: 'q1', question: 'Why?', answer_a: 'So', answer_b: 'Not', final_answer: 'A', explanation: 'E' }
  const questions = exam.getByLabel('Questions as JSON (optional)')
  await questions.fill(JSON.stringify([question, { ...question, id: 'q2', final_answer: 'F' }]))
  await exam.getByRole('button', { name: 'Save exam' }).click()
  await expect(exam.getByText(/^Question 2: /)).toBeVisible()
  await expectGoodPage(page)
  await questions.fill(JSON.stringify([question]))
  await exam.getByRole('button', { name: 'Save exam' }).click()
  await expect(page.getByText('First exam: 1 question, 60 minutes')).toBeVisible()
  await untilSaved(page)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('Courses loaded successfully!')).toBeVisible()
  await expect(page.getByText(/^Found \d+ course\(s\) \(Admin view\)$/)).toBeVisible()
  await expect(page.getByText('First exam: 1 question, 60 minutes')).toBeVisible()
  await page.context().close()
})

test('a guest who comes back sees the list of the last visit at once, without a network too, and never a broken one', async ({
  page,
  problems,
}) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource|Failed to fetch/)
  await visit(page, '/')
  const cards = page.locator('#courses').getByRole('article')
  const count = await cards.count()
  expect(count).toBeGreaterThan(5)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('courses') ?? '')).toContain('supabaseId')
  const first = await cards.first().getByRole('heading').innerText()

  // A return visit inside the site, with a network that has gone.
  await cards.first().getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1, name: first })).toBeVisible()
  await page.context().setOffline(true)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
  await expect(cards).toHaveCount(count)
  await expect(page.getByText('Error loading courses')).toBeVisible()
  await expect(page.getByText('Could not load courses from the database. Using local data.')).toBeVisible()
  await cards.first().getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1, name: first })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
  await expect(cards).toHaveCount(count)
  await page.context().setOffline(false)

  // What another version stored is ignored and replaced.
  const warned = page.waitForEvent('console', (message) => message.text().includes('The stored courses were ignored'))
  await cards.first().getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1, name: first })).toBeVisible()
  await page.evaluate(() => localStorage.setItem('courses', JSON.stringify({ version: 0, courses: [{ id: 'x' }] })))
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
  await warned
  await expect(cards).toHaveCount(count)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('courses') ?? '')).toContain('supabaseId')

  // Cleared in another tab: loaded again a moment later.
  const other = await page.context().newPage()
  await visit(other, '/login')
  await other.evaluate(() => localStorage.removeItem('courses'))
  await expect.poll(() => page.evaluate(() => localStorage.getItem('courses') ?? '')).toContain('supabaseId')
})

test('an admin who signs out with unsent changes is asked, and nothing of them stays', async ({
  browser,
  problems,
}) => {
  problems.allow(/status of 404|ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  const page = await anAdminAt(browser)
  await expect(page.getByText('All changes are saved.')).toBeVisible()
  const title = aTitle('Refused')
  await addCourse(page, title)
  await untilSaved(page)
  // Without a network, or the page hears of the deletion before its admin has renamed anything.
  await page.context().setOffline(true)
  await rename(page, title, `${title} late`)
  await page.request.delete(`/api/courses/${await idOf(page, title)}`, {
    headers: { origin: new URL(page.url()).origin },
  })
  await page.context().setOffline(false)
  await expect(page.getByText(`${title} late: deleted elsewhere meanwhile`)).toBeVisible({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Sign Out' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out with unsent changes?' })
  await expect(question).toBeVisible()
  await expectGoodPage(page)
  await question.getByRole('button', { name: 'Sign out and lose them' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
  await signIn(page, admin)
  await visit(page, '/admin/course-management')
  await expect(page.getByText('All changes are saved.')).toBeVisible()
  await expect(page.getByText(`${title} late`)).toHaveCount(0)
  await page.context().close()
})

test('what was made in this browser before is offered for upload, and an old page says that it is old', async ({
  page,
}) => {
  const titles = [aTitle('Made here'), aTitle('Made here')]
  await visit(page, '/login')
  await page.evaluate(
    (made) => localStorage.setItem('courses', JSON.stringify(made)),
    titles.map((title, id) => ({ id, title, price: 5 })),
  )
  await signIn(page, admin)
  await visit(page, '/admin/course-management')
  await expect(page.getByText('2 courses were made in this browser and never reached the server.')).toBeVisible()
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  for (const title of titles) await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await expect(page.getByText('never reached the server')).toHaveCount(0)
  const stored = (await titlesOf(page)).filter((title) => titles.includes(title))
  expect(stored).toHaveLength(2)

  const reload = page.getByRole('button', { name: 'reload' })
  await expect(reload).toHaveCount(0)
  await page.evaluate(() => document.querySelector('meta[name="build"]')?.setAttribute('content', 'older'))
  const price = page.getByLabel(`Price of ${titles[0]}`)
  await price.fill('6')
  await price.press('Enter')
  await expect(reload).toBeVisible()
  await untilSaved(page)
  await price.fill('7')
  await price.press('Enter')
  await untilSaved(page)
  await expectGoodPage(page)
  await reload.click()
  await expect(reload).toHaveCount(0)
})

async function idOf(page: Page, title: string): Promise<string> {
  const reply = await page.request.get('/api/admin/courses')
  const { courses } = (await reply.json()) as { courses: { id: string; title: string }[] }
  return courses.find((course) => course.title === title)?.id ?? ''
}

test('what is typed into the forms of a course and of an exam survives Escape, a press outside and a reload', async ({
  browser,
}) => {
  const page = await anAdminAt(browser)
  const title = aTitle('Typed')
  await addCourse(page, title)
  await untilSaved(page)
  const open = async (button: string) => {
    await page.getByRole('button', { name: `${button}: ${title}` }).click()
    return page.getByRole('dialog')
  }
  const kept = page.getByText(/^On .* you typed something here that was not saved\.$/)

  const course = await open('Edit course')
  await course.getByLabel('Description').fill('A long text about the course')
  await course.getByLabel('Price in dollars').fill('19.')
  await page.keyboard.press('Escape')
  await expect(course).toHaveCount(0)
  await page.reload()
  await visit(page, '/admin/course-management')
  await open('Edit course')
  await expect(kept).toBeVisible()
  await expectGoodPage(page)
  await course.getByRole('button', { name: 'Take it up again' }).click()
  await expect(course.getByLabel('Description')).toHaveValue('A long text about the course')
  await expect(course.getByLabel('Price in dollars')).toHaveValue('19.')
  await course.getByLabel('Price in dollars').fill('19')
  await course.getByRole('button', { name: 'Save course' }).click()
  await untilSaved(page)
  // What is saved is offered no more.
  await open('Edit course')
  await expect(course.getByLabel('Description')).toHaveValue('A long text about the course')
  await expect(kept).toHaveCount(0)
  await page.keyboard.press('Escape')

  const exam = await open('Add exam')
  await exam.getByLabel('Exam title').fill('Half an exam')
  await page.mouse.click(5, 300)
  await expect(exam).toHaveCount(0)
  await open('Add exam')
  await exam.getByRole('button', { name: 'Take it up again' }).click()
  await expect(exam.getByLabel('Exam title')).toHaveValue('Half an exam')
  await page.keyboard.press('Escape')
  await open('Add exam')
  await exam.getByRole('button', { name: 'Discard it' }).click()
  await expect(kept).toHaveCount(0)
  await expect(exam.getByLabel('Exam title')).toHaveValue('')
  await page.context().close()
})
