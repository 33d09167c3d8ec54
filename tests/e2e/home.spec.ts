import { expect, expectGoodPage, test, untilHydrated, visit } from './e2e-test.ts'

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
    expect(await columns(), `${width} px`).toBe(count)
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
