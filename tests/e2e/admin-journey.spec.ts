import { priceOfThisTry } from './second-try.ts'
import { admin, aNewcomer } from './shared-users.ts'
import {
  expect,
  expectNoAxeViolations,
  expectNoOverflow,
  registerAndVerify,
  signIn,
  test,
  visit,
  widths,
} from './e2e-test.ts'

const course = { slug: 'aws-certified-developer-associate', title: 'AWS Certified Developer - Associate' }

/** Below it a row of the list opens before it is changed. */
const TABLET = 768

for (const [round, width] of widths.entries())
  test(`at ${width} px an admin changes a price and a free trial, and a guest sees both at once`, async ({
    browser,
  }) => {
    const forAdmin = await (await browser.newContext({ viewport: { width, height: 900 } })).newPage()
    const forGuest = await (await browser.newContext({ viewport: { width, height: 900 } })).newPage()
    const price = priceOfThisTry(2025 + 100 * round)
    await signIn(forAdmin, admin)
    await visit(forAdmin, '/admin')
    await expect(forAdmin.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoOverflow(forAdmin)
    await expectNoAxeViolations(forAdmin)
    await visit(forAdmin, '/admin/course-management')
    if (width < TABLET) await forAdmin.getByRole('button', { name: `Change: ${course.title}` }).click()
    await expectNoOverflow(forAdmin)
    await expectNoAxeViolations(forAdmin)
    const field = forAdmin.getByLabel(`Price of ${course.title}`)
    await field.fill('10000')
    await field.press('Enter')
    await expect(forAdmin.getByText('Price cannot exceed $9,999.99')).toBeVisible()
    await field.fill(price)
    await field.press('Enter')
    await expect
      .poll(async () => {
        await visit(forGuest, `/course/${course.slug}`)
        return forGuest.getByText(`$${price}`).count()
      })
      .toBeGreaterThan(0)
    await expectNoAxeViolations(forGuest)
    const trial = forAdmin.getByRole('switch', { name: `Free trial: Practice Exam 1, ${course.title}` })
    const freeNow = forGuest.getByRole('link', { name: 'Try For Free: Practice Exam 1' })
    // A try before this one may have left it on.
    if (await trial.isChecked()) await trial.click()
    await expect
      .poll(async () => {
        await visit(forGuest, `/course/${course.slug}`)
        return freeNow.count()
      })
      .toBe(0)
    await trial.click()
    await expect(trial).toBeChecked()
    await expect
      .poll(async () => {
        await visit(forGuest, `/course/${course.slug}?mode=preview`)
        return freeNow.count()
      })
      .toBeGreaterThan(0)
    await trial.click()
    await expect(trial).not.toBeChecked()
    await expect(forAdmin.getByText('All changes are saved.')).toBeVisible()
    await forAdmin.context().close()
    await forGuest.context().close()
  })

test('a guest goes to sign in and comes back; who is no admin is told so and sent home', async ({ page, browser }) => {
  await visit(page, '/admin/course-management')
  await expect(page).toHaveURL(/\/login\?redirect=%2Fadmin%2Fcourse-management/)
  await page.getByLabel('Email address').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL(/\/admin\/course-management/)

  const student = await (await browser.newContext()).newPage()
  await registerAndVerify(student, aNewcomer())
  // The toast stays for four seconds, so it is looked for from the first byte on.
  await student.goto('/admin', { waitUntil: 'commit' })
  await expect(student.getByText("You don't have permission to access this area.")).toBeVisible()
  await expect(student).toHaveURL(/\/$/)
  await student.context().close()
})
