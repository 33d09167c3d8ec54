import type { Page } from '@playwright/test'
import { looks } from './pages.ts'
import { settle } from './settled-shop.ts'
import { admin, aNewcomer } from './shared-users.ts'
import { expect, expectGoodPage, expectNoOverflow, registerAndVerify, signIn, test, visit } from './e2e-test.ts'

test('a guest sees every public page right, and is asked to sign in for the others', async ({ page, problems }) => {
  test.setTimeout(240_000)
  problems.allow(/status of 404/)
  for (const [route, { who, path, by }] of Object.entries(looks)) {
    if (who === 'anyone') await lookAt(page, route, String(path), by)
    else if (typeof path === 'string') {
      const reply = await page.request.get(path, { maxRedirects: 0 })
      expect(reply.headers()['location'], route).toBe(`/login?redirect=${encodeURIComponent(path)}`)
    }
  }
})

test('a student sees their own pages right, and nothing of the admin area', async ({ page, problems }) => {
  test.setTimeout(240_000)
  problems.allow(/status of 404/)
  await registerAndVerify(page, aNewcomer())
  for (const [route, { who, path, by }] of Object.entries(looks)) {
    if (typeof path !== 'string') continue
    if (who === 'signed-in') await lookAt(page, route, path, by)
    if (who === 'admin')
      expect((await page.request.get(path, { maxRedirects: 0 })).headers()['location'], route).toMatch(/^\/($|\?)/)
  }
})

test('an admin sees every page of the admin area right', async ({ page }) => {
  test.setTimeout(480_000)
  await signIn(page, admin)
  const facts = await settle(page)
  for (const [route, { who, path, by }] of Object.entries(looks)) {
    const isOwn = who === 'signed-in' && typeof path !== 'string'
    if (who === 'admin' || isOwn) await lookAt(page, route, typeof path === 'string' ? path : path(facts), by)
  }
})

/** One heading, a title, nothing that sticks out; all that axe sees, where no journey looks at it. */
async function lookAt(page: Page, route: string, path: string, by: string | undefined) {
  await test.step(`${route} ${by === undefined ? '' : `(${by}.spec.ts)`}`, async () => {
    await visit(page, path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    expect(await page.title()).not.toBe('')
    if (by === undefined) await expectGoodPage(page)
    else await expectNoOverflow(page)
  })
}

test('on a phone the hint of a search stands between its field and the button', async ({ page }) => {
  await signIn(page, admin)
  await page.setViewportSize({ width: 375, height: 812 })
  for (const path of ['/admin/orders', '/admin/manage-users']) {
    await visit(page, path)
    const form = page.getByRole('main').getByRole('search')
    const field = form.getByRole('searchbox')
    const places = await form.evaluate((element) => {
      const top = (selector: string) => element.querySelector(selector)!.getBoundingClientRect().top
      return [
        top('[type=search]'),
        top('#filter-hint'),
        ...(element.querySelector('select') ? [top('select')] : []),
        top('button'),
      ]
    })
    await expect(field).toHaveAccessibleDescription(/./)
    expect(places, path).toEqual(places.toSorted((one, other) => one - other))
  }
})
