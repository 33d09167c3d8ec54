import { expect, expectGoodPage, test, visit } from './support.ts'

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
