import { readdir, readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, expectGoodPage, test, untilHydrated, visit } from './e2e-test.ts'

const COURSE_TO_TRY = 'aws-certified-cloud-practitioner'
const COURSE = /^\/course\/[\w-]+$/

test('home and a course page are right at every width, in light and dark', async ({ page }) => {
  await visit(page, '/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pass Your AWS Certification - Guaranteed!')
  await expectGoodPage(page)
  await page.getByRole('main').getByRole('article').first().getByRole('link').first().click()
  await expect(page).toHaveURL((url) => COURSE.test(url.pathname))
  await expect(page.getByRole('heading', { name: 'Exams', exact: true })).toBeVisible()
  await expectGoodPage(page)
})

test('pages let nothing inline run but what is named by its hash, and nobody may frame them', async ({ request }) => {
  // The second reply of each comes from what is kept.
  for (const path of ['/', '/', '/login', '/no-such-page']) {
    const policy = (await request.get(path)).headers()['content-security-policy'] ?? ''
    expect(policy).toContain("script-src 'self' 'sha256-")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
  }
})

test('a chosen theme stays after a reload', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await visit(page, '/')
  const background = () => page.getByRole('banner').evaluate((header) => getComputedStyle(header).backgroundColor)
  const light = await background()
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
  await expect.poll(background).not.toBe(light)
  await visit(page, '/')
  expect(await background()).not.toBe(light)
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
  await expect.poll(background).toBe(light)
})

test('an unknown path is a 404 with a way home', async ({ page, problems }) => {
  problems.allow(/status of 404/)
  const reply = await visit(page, '/no-such-page')
  expect(reply?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found')
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/')
})

test('search engines are told what home and a course are', async ({ page, baseURL }) => {
  const facts = () =>
    page.evaluate(() => ({
      title: document.title,
      canonical: document.querySelector('link[rel=canonical]')?.getAttribute('href'),
      description: document.querySelector('meta[name=description]')?.getAttribute('content'),
      shared: document.querySelector('meta[property="og:url"]')?.getAttribute('content'),
      data: document.querySelector('script[type="application/ld+json"]')?.textContent,
    }))
  await visit(page, '/')
  expect(await facts()).toMatchObject({
    canonical: `${baseURL}/`,
    shared: `${baseURL}/`,
    title: expect.stringContaining('Altocert'),
    description: expect.stringContaining('exam'),
  })
  const path = await page.getByRole('main').getByRole('article').first().getByRole('link').first().getAttribute('href')
  await page.goto(new URL(path ?? '', baseURL).pathname)
  const course = await facts()
  const heading = await page.getByRole('heading', { level: 1 }).textContent()
  const url = `${baseURL}${new URL(page.url()).pathname}`
  expect(course).toMatchObject({ canonical: url, shared: url })
  expect(course.description).not.toBe('')
  expect(JSON.parse(course.data ?? '')).toMatchObject({
    '@type': 'Course',
    name: heading,
    offers: { '@type': 'Offer', priceCurrency: 'USD', url },
  })
})

test('the sitemap lists home and every course, and robots.txt names it', async ({ page, request, baseURL }) => {
  const sitemap = await (await request.get('/sitemap.xml')).text()
  const listed = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)
  await visit(page, '/')
  const courses = await page
    .getByRole('main')
    .getByRole('article')
    .evaluateAll((cards) => cards.map((card) => new URL(card.querySelector('a')!.href).pathname))
  expect(listed).toEqual(expect.arrayContaining([`${baseURL}/`, ...courses.map((path) => `${baseURL}${path}`)]))
  const robots = await (await request.get('/robots.txt')).text()
  expect(robots).toContain(`Sitemap: ${baseURL}/sitemap.xml`)
  expect(robots).toContain('Disallow: /admin')
})

test('the search and the level narrow the list at once, stand in the address, and survive a reload', async ({
  page,
}) => {
  await visit(page, '/')
  const cards = page.getByRole('main').getByRole('article')
  const all = await cards.count()
  const field = page.getByRole('searchbox', { name: 'Search the courses' })
  await field.pressSequentially('practitioner')
  await expect(page).toHaveURL((url) => url.search === '?q=practitioner')
  await expect(page.getByRole('status').filter({ hasText: `of ${all} courses` })).toBeVisible()
  await expect(field).toBeFocused()
  await expect(page.getByRole('link', { name: 'AWS Certified Cloud Practitioner', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Specialty', exact: true }).click()
  await expect(page).toHaveURL((url) => url.search === '?q=practitioner&level=specialty')
  await expect(page.getByText('No course fits this search')).toBeVisible()
  await expectGoodPage(page)
  await page.reload()
  await untilHydrated(page)
  await expect(page.getByText('No course fits this search')).toBeVisible()
  await expect(field).toHaveValue('practitioner')
  await page.getByRole('link', { name: 'Show all courses' }).click()
  await expect(cards).toHaveCount(all)
  await expect(field).toHaveValue('')
  await field.fill('🦆'.repeat(5000))
  await expect(page.getByText('No course fits this search')).toBeVisible()
})

test('without JavaScript the search is a form, and the page kept for guests stays whole', async ({
  browser,
  request,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/')
  const cards = page.getByRole('main').getByRole('article')
  const all = await cards.count()
  await page.getByRole('searchbox', { name: 'Search the courses' }).fill('practitioner')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page).toHaveURL((url) => url.search === '?q=practitioner')
  expect(await cards.count()).toBeLessThan(all)
  await page.getByRole('link', { name: 'Foundational', exact: true }).click()
  await expect(page).toHaveURL((url) => url.search === '?q=practitioner&level=practitioner')
  const whole = await (await request.get('/')).text()
  expect(whole.split('<article').length - 1).toBe(all)
  await context.close()
})

test('the list has one column on a phone and five on a wide screen', async ({ page }) => {
  await visit(page, '/')
  const card = page.getByRole('main').getByRole('article').first()
  const columns = () =>
    card.evaluate((element) => getComputedStyle(element.parentElement!).gridTemplateColumns.split(' ').length)
  for (const [width, count] of [
    [375, 1],
    [600, 2],
    [1000, 3],
    [1300, 4],
    [1700, 5],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(columns, { message: `${width} px` }).toBe(count)
  }
})

test('the free-trial view says what can be tried now and what buying adds', async ({ page }) => {
  await visit(page, '/course/aws-certified-cloud-practitioner?mode=preview')
  const trial = page.getByRole('region', { name: 'Try it now, without an account' })
  await expect(trial.getByRole('link', { name: 'Try For Free: Free Sampler' })).toBeVisible()
  const bought = page.getByRole('region', { name: 'What buying this course adds' })
  await expect(bought.getByText(/^For \$19\.99 you get/)).toBeVisible()
  await expect(bought.getByText('Buy this course to unlock').first()).toBeVisible()
  await expect(bought.getByText('Free Sampler')).toHaveCount(0)
  await expectGoodPage(page)
  await trial.getByRole('link', { name: 'Try For Free: Free Sampler' }).click()
  await expect(page.getByText('Question 1 of 20')).toBeVisible()
})

/** The question to try on this page, and its options by what the server says about them. */
async function triedOn(page: Page, course: string) {
  const group = page.getByRole('group').filter({ has: page.getByRole('radio') })
  const stem = (await group.locator('legend').innerText()).trim()
  const files = await readdir(`content/${course}`)
  const texts = await Promise.all(files.map((file) => readFile(`content/${course}/${file}`, 'utf8').catch(() => '')))
  const [, options = ''] = texts.find((text) => text.includes(stem))!.split(stem)
  const [right = ''] = [...options.matchAll(/^- \[x\] (.*)$/gm)].map(([, text]) => text)
  return { group, right, check: page.getByRole('button', { name: 'Check answer' }) }
}

test('a question on the home page is answered by mouse, wrong, and says why', async ({ page, request }) => {
  const html = await (await request.get('/')).text()
  expect(html).toContain('Check answer')
  expect(html).not.toContain('rightOptionIds')
  await visit(page, '/')
  const { group, right, check } = await triedOn(page, COURSE_TO_TRY)
  await expect(check).toBeDisabled()
  await group.getByRole('radio').and(page.locator(':not([disabled])')).first().waitFor()
  const labels = await group.locator('label').allInnerTexts()
  const wrong = labels.findIndex((label) => !label.includes(right))
  await group.locator('label').nth(wrong).click()
  await check.click()
  await expect(page.getByText('Not right', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Explanation' })).toBeVisible()
  await expect(group.locator('label').filter({ hasText: right })).toContainText('Right answer')
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Go on with the free exam' }).click()
  await expect(page.getByText('Question 1 of 20')).toBeVisible()
})

test('the question on a phone waits behind a button and is answered by keyboard, right', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await visit(page, '/')
  const shop = page.getByRole('heading', { name: /^Courses at / })
  expect((await shop.boundingBox())!.y, 'the courses are near the top').toBeLessThan(700)
  const open = page.getByRole('button', { name: 'Try a question now' })
  await open.focus()
  await page.keyboard.press('Enter')
  const { group, right, check } = await triedOn(page, COURSE_TO_TRY)
  const radio = group.locator('label').filter({ hasText: right }).getByRole('radio')
  await expect(radio).toBeEnabled()
  await page.keyboard.press('Tab')
  const place = await radio.evaluate((input) =>
    [...input.closest('fieldset')!.querySelectorAll('input')].indexOf(input as HTMLInputElement),
  )
  await page.keyboard.press('Space')
  for (let step = 0; step < place; step += 1) await page.keyboard.press('ArrowDown')
  await expect(radio).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(check).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Try a question' }).getByText('Right', { exact: true })).toBeVisible()
  // The focus is on the verdict, and the next stops are below it.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Explanation')
  await expectGoodPage(page)
})

test('a course page says what is in the course, for whom it is, and lets one try a question', async ({ page }) => {
  await visit(page, `/course/${COURSE_TO_TRY}`)
  const facts = page.getByRole('region', { name: 'What is in it' })
  await expect(facts).toContainText('130 questions in 2 exams')
  await expect(facts).toContainText('20 questions in 1 exam')
  await expect(facts).toContainText(/\d+ with one right answer, \d+ with several right answers/)
  for (const label of ['Who it is for', 'What to know before', 'Last changed'])
    await expect(facts.getByText(label, { exact: true })).toBeVisible()
  const panel = page.getByRole('complementary', { name: 'Buy this course' })
  await expect(panel).toContainText('2 exams with 130 questions')
  await expect(panel).toContainText('20 free questions to try')
  await expect(panel).toContainText('Timed mode like the real exam')
  await page.getByRole('heading', { name: 'Try a question' }).scrollIntoViewIfNeeded()
  const { group, right, check } = await triedOn(page, COURSE_TO_TRY)
  await group.locator('label').filter({ hasText: right }).click()
  await check.click()
  await expect(page.getByText('Right', { exact: true })).toBeVisible()
  await expectGoodPage(page)
})
