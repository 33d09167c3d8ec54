import type { Page } from '@playwright/test'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { priceOfThisTry } from './second-try.ts'
import { admin } from './shared-users.ts'
import { dataFolder, launch, untilReady } from './server-process.ts'
import { expect, signIn, test, visit } from './e2e-test.ts'

const course = { slug: 'aws-certified-cloud-practitioner' }
/** Courses whose price no other test looks at. */
const priced = [
  {
    slug: 'aws-certified-solutions-architect-professional',
    title: 'AWS Certified Solutions Architect - Professional',
  },
  {
    slug: 'aws-certified-generative-ai-developer-professional',
    title: 'AWS Certified Generative AI Developer - Professional',
  },
] as const

/** What an admin changes is sent a moment later. */
const savedBy = (page: Page) => page.waitForResponse((reply) => reply.request().method() === 'PATCH' && reply.ok())

/** Open streams of the server, as it counts them itself. */
async function listeners(page: Page): Promise<number> {
  const text = await (await page.request.get('/metrics')).text()
  return Number(/^altocert_realtime_listeners (\d+)$/m.exec(text)?.[1])
}

/** A page listens a moment after it is there. */
const hasStream = (page: Page) =>
  page.evaluate(() => navigator.locks.query().then(({ held }) => held?.some(({ name }) => name === 'altocert-changes')))

test('a price that an admin changes is on the open pages of another browser without a reload', async ({ browser }) => {
  const shop = await (await browser.newContext()).newPage()
  const office = await (await browser.newContext()).newPage()
  await visit(shop, '/')
  const { slug, title } = priced[0]
  const coursePage = await shop.context().newPage()
  await visit(coursePage, `/course/${slug}`)
  await expect.poll(() => hasStream(shop)).toBe(true)
  await signIn(office, admin)
  await visit(office, '/admin/course-management')
  const field = office.getByLabel(`Price of ${title}`)
  const price = priceOfThisTry(6125)
  await field.fill(price)
  const saved = savedBy(office)
  await field.press('Enter')
  await saved
  // How soon is measured where nothing else runs: by realtime.server.test and the bench.
  await expect(shop.getByText(`$${price}`)).toBeVisible()
  // The other tab is refreshed when somebody looks at it.
  await coursePage.bringToFront()
  await expect(coursePage.getByText(`$${price}`).first()).toBeVisible()
  await shop.context().close()
  await office.context().close()
})

test('the data of a page that guests see alike is kept like the page', async ({ request }) => {
  const hits = async () =>
    Number(/class="page",found="yes"\} (\d+)/.exec(await (await request.get('/metrics')).text())?.[1])
  const first = await (await request.get('/_root.data')).text()
  const before = await hits()
  expect(await (await request.get('/_root.data')).text()).toBe(first)
  expect(await hits()).toBeGreaterThan(before)
})

test('what an admin is typing stays when somebody else changes the same price', async ({ browser }) => {
  const [one, other] = await Promise.all([1, 2].map(async () => (await browser.newContext()).newPage()))
  for (const page of [one!, other!]) {
    await signIn(page, admin)
    await visit(page, '/admin/course-management')
    await expect.poll(() => hasStream(page)).toBe(true)
  }
  const name = `Price of ${priced[1].title}`
  const mine = one!.getByLabel(name, { exact: true })
  await mine.click()
  await mine.fill('12.3')
  const theirs = other!.getByLabel(name, { exact: true })
  const price = priceOfThisTry(4450)
  await theirs.fill(price)
  const saved = savedBy(other!)
  await theirs.press('Enter')
  await saved
  await mine.press('4')
  await expect(mine).toBeFocused()
  await expect(mine).toHaveValue('12.34')
  // Once the hands are off, the list is as it is now, and what was typed is still there.
  await one!.getByRole('heading', { level: 1 }).click()
  await expect(one!.getByText(`Meanwhile it was set to $${price}.`)).toBeVisible()
  await expect(mine).toHaveValue('12.34')
  await one!.context().close()
  await other!.context().close()
})

test('three tabs share one connection, and when the tab that holds it closes another takes over', async ({
  browser,
}) => {
  // A server of its own, or the listeners of other tests would be counted too.
  const folder = await dataFolder()
  const server = launch(folder.path, await freePort(), { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
  await untilReady(server)
  const context = await browser.newContext({ baseURL: server.url })
  const watcher = await context.newPage()
  const tabs: Page[] = []
  for (let number = 0; number < 3; number += 1) {
    const tab = await context.newPage()
    await visit(tab, number === 2 ? `/course/${course.slug}` : '/')
    tabs.push(tab)
    await expect.poll(() => hasStream(tab)).toBe(true)
  }
  await expect.poll(() => listeners(watcher)).toBe(1)
  const [leader, ...others] = tabs
  await leader!.close()
  await expect.poll(() => listeners(watcher)).toBe(1)
  const office = await (await browser.newContext({ baseURL: server.url })).newPage()
  await signIn(office, admin)
  const { id } = (await (await office.request.get(`/api/courses/${course.slug}`)).json()) as { id: string }
  const changed = await office.request.patch(`/api/courses/${id}`, {
    data: { price: '62.75' },
    headers: { origin: new URL(office.url()).origin },
  })
  expect(changed.status()).toBe(200)
  for (const tab of others) {
    await tab.bringToFront()
    await expect(tab.getByText('$62.75').first()).toBeVisible()
  }
  await office.context().close()
  await context.close()
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  await folder.remove()
})
