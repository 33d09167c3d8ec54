import { anOwnServer, type OwnServer } from './own-server.ts'
import { expect, expectGoodPage, test, untilHydrated, visit } from './e2e-test.ts'

// The home of a shop with more courses than a page holds. The shop is this file's own.

const COURSES = 130
let server: OwnServer

test.beforeAll(async () => {
  server = await anOwnServer()
  await server.sql(`insert into courses (title, slug, price, category, created_at)
    select 'Course ' || n, 'course-' || n, 5, (array['associate', 'specialty'])[1 + n % 2], now() - n * interval '1 minute'
    from generate_series(1, ${COURSES}) n`)
})
test.afterAll(() => server.stop())

test('a long list comes in pages that stand in the address, with its search and its level', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await visit(page, '/')
  const cards = page.locator('#courses').getByRole('article')
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(page.getByText(`${COURSES} courses`, { exact: true })).toBeVisible()
  await expect(cards).toHaveCount(60)
  await expect(pages.getByRole('link', { name: 'Previous page' })).toHaveCount(0)
  await pages.getByRole('link', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/\/\?page=2#courses$/)
  await expect(pages.getByText('Page 2 of 3')).toBeVisible()
  await expect(cards.first().getByRole('heading')).toHaveText('Course 61')
  expect(await page.locator('#courses').evaluate((list) => list.getBoundingClientRect().top)).toBeLessThan(200)
  await expectGoodPage(page)
  await page.reload()
  await untilHydrated(page)
  await expect(cards.first().getByRole('heading')).toHaveText('Course 61')
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${server.url}/?page=2`)
  await expect(page).toHaveTitle(/Courses, page 2/)

  // A search begins at the first page again, and is answered by the server.
  const field = page.getByRole('searchbox', { name: 'Search the courses' })
  await field.pressSequentially('course 12')
  await expect(page.getByText(`12 of ${COURSES} courses`, { exact: true })).toBeVisible()
  await expect(cards).toHaveCount(12)
  await expect(field).toBeFocused()
  await expect(pages).toHaveCount(0)
  await field.fill('')
  await page.getByRole('link', { name: 'Specialty', exact: true }).click()
  await expect(page.getByText(`65 of ${COURSES} courses`, { exact: true })).toBeVisible()
  await pages.getByRole('link', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/\/\?level=specialty&page=2#courses$/)
  await expect(cards).toHaveCount(5)
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${server.url}/`)
  await page.goBack()
  await expect(cards).toHaveCount(60)

  // What is kept for the next visit is the beginning of the list, whatever was looked at last.
  const stored = await page.evaluate(() => localStorage.getItem('courses') ?? '')
  expect(stored).toContain('"Course 1"')
  expect(stored).not.toContain('"Course 61"')
  await context.close()
})

test('without JavaScript the pages are links, and what is no page leads to one', async ({ browser, request }) => {
  const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/?level=associate')
  const cards = page.locator('#courses').getByRole('article')
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/\/\?level=associate&page=2#courses$/)
  await expect(cards).toHaveCount(5)
  await page.getByRole('link', { name: 'Previous page' }).click()
  await expect(page).toHaveURL(/\/\?level=associate#courses$/)
  await page.goto('/?page=99')
  await expect(page).toHaveURL(/\/\?page=3$/)
  await expect(cards).toHaveCount(10)
  await page.goto('/?page=-1')
  await expect(cards).toHaveCount(60)
  await context.close()

  const first = await (await request.get(`${server.url}/`)).text()
  expect(first).toMatch(/rel="next"[^>]*href="\/\?page=2#courses"|href="\/\?page=2#courses"[^>]*rel="next"/)
  const sitemap = await (await request.get(`${server.url}/sitemap.xml`)).text()
  expect(sitemap.split('<loc>').length - 1).toBe(COURSES + 1)
})
