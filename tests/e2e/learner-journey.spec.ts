import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
  expect,
  expectNoAxeViolations,
  expectNoOverflow,
  linkIn,
  mailTo,
  test,
  untilHydrated,
  visit,
  widths,
} from './e2e-test.ts'

const course = { slug: 'aws-certified-cloud-practitioner', title: 'AWS Certified Cloud Practitioner' }

/** Nothing sticks out and axe finds nothing, in both themes, at the width of this journey. */
async function expectGood(page: Page) {
  await expectNoOverflow(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectNoAxeViolations(page)
  }
  await page.emulateMedia({ colorScheme: null })
}

const answers = (page: Page) =>
  page.getByRole('group').getByRole('radio').or(page.getByRole('group').getByRole('checkbox'))

for (const width of widths)
  test(`at ${width} px a guest tries, registers, verifies, pays, takes the timed exam and reads the review`, async ({
    page,
    context,
  }) => {
    test.setTimeout(240_000)
    await page.setViewportSize({ width, height: 900 })
    const email = `learner-${randomBytes(5).toString('hex')}@example.com`
    const password = 'Correct-Horse-7!'

    // Finds the course.
    await visit(page, '/')
    await expectGood(page)
    await page.getByRole('link', { name: course.title, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: course.title })).toBeVisible()
    await expectGood(page)

    // Tries its free exam without an account.
    await page.getByRole('link', { name: 'Try For Free: Free Sampler' }).click()
    await expect(page.getByText('Question 1 of 20')).toBeVisible()
    await answers(page).first().check()
    await expect(page.getByText('All answers saved')).toBeVisible()
    await expectGood(page)
    await page.getByRole('button', { name: 'Check answer' }).click()
    await expect(page.getByRole('heading', { name: /explanation/i })).toBeVisible()
    await expectGood(page)
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByText('Question 2 of 20')).toBeVisible()
    await page.reload()
    await untilHydrated(page)
    await expect(page.getByText(/Question [12] of 20/)).toBeVisible()
    await page.getByRole('button', { name: 'Finish exam' }).click()
    await expectGood(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click()
    await expect(page.getByText('Not passed').first()).toBeVisible()
    await expectGood(page)

    // Keeps the result by creating an account.
    await page.getByRole('link', { name: /create an account/i }).click()
    await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
    await expectGood(page)
    await page.getByLabel('Full Name').fill('Lea Learner')
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm Password').fill(password)
    await expectGood(page)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page).toHaveURL(/\/login/)
    await expect(page.getByText('Please check your email to verify your account.')).toBeVisible()
    await expectGood(page)
    await visit(page, linkIn(await mailTo(email, /verify/i)))
    await expect(page.getByText('Your email address is verified.').first()).toBeVisible()
    // Back at the result that was to be kept, which is the account's own now.
    await expect(page).toHaveURL(/\/exam-review\//)

    // The trial's result is there.
    await visit(page, '/my-courses')
    await expect(page.getByText('Free Sampler').first()).toBeVisible()
    await expectGood(page)

    // Buys the course: declined first, then paid.
    await visit(page, `/course/${course.slug}`)
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await expect(page.getByText('Course has been added to your cart')).toBeVisible()
    await page.getByRole('button', { name: /Open cart/ }).click()
    const drawer = page.getByRole('dialog', { name: 'Your cart' })
    await expect(drawer.getByText('$31.98')).toBeVisible()
    await expect(drawer.getByText('Add $30.01 more for free shipping!')).toBeVisible()
    await expectGood(page)
    const opened = context.waitForEvent('page')
    await drawer.getByRole('button', { name: 'Checkout' }).click()
    const hosted = await opened
    await hosted.setViewportSize({ width, height: 900 })
    await hosted.getByLabel('Card number').fill('4000 0000 0000 0002')
    await hosted.getByLabel('Expiry').fill('12/34')
    await hosted.getByLabel('CVC').fill('123')
    await hosted.getByLabel('Name on card').fill('Lea Learner')
    await expectGood(hosted)
    await hosted.getByRole('button', { name: 'Pay $31.98' }).click()
    await expect(hosted.getByText('Your card was declined.')).toBeVisible()
    await hosted.getByLabel('Card number').fill('4242 4242 4242 4242')
    await hosted.getByLabel('CVC').fill('123')
    await hosted.getByRole('button', { name: 'Pay $31.98' }).click()
    await expect(hosted.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
    await expect(hosted.getByText('30-Day Access Period').first()).toBeVisible()
    await expectGood(hosted)
    await hosted.getByRole('link', { name: 'Go to My Courses' }).click()
    await expect(hosted.getByRole('heading', { level: 1, name: 'My Courses' })).toBeVisible()
    await expectGood(hosted)

    // Takes the timed exam.
    await visit(hosted, `/course/${course.slug}`)
    await hosted.getByRole('link', { name: 'Start exam: Practice Exam 1' }).click()
    await expect(hosted.getByRole('heading', { level: 1 })).toBeVisible()
    await expectGood(hosted)
    await hosted
      .getByRole('link', { name: /timed/i })
      .or(hosted.getByRole('button', { name: /timed/i }))
      .first()
      .click()
    await hosted.getByRole('button', { name: 'Start exam', exact: true }).click()
    await expect(hosted.getByText('Question 1 of 65')).toBeVisible()
    await expect(hosted.getByRole('timer', { name: 'Time remaining' })).toBeVisible()
    await answers(hosted).nth(1).check()
    await hosted.getByRole('button', { name: 'Flag', exact: true }).click()
    await expect(hosted.getByText('All answers saved')).toBeVisible()
    await expectGood(hosted)
    await hosted.reload()
    await untilHydrated(hosted)
    await expect(answers(hosted).nth(1)).toBeChecked()
    await hosted.getByRole('button', { name: 'Next' }).click()
    await expect(hosted.getByText('Question 2 of 65')).toBeVisible()
    await answers(hosted).first().check()
    await expect(hosted.getByText('All answers saved')).toBeVisible()
    await expect(hosted.getByRole('button', { name: 'Check answer' })).toHaveCount(0)
    await hosted.getByRole('button', { name: 'Finish exam' }).click()
    await hosted.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click()

    // Reads the review.
    await expect(hosted).toHaveURL(/\/exam-review\//)
    await expect(hosted.getByText('Not passed').first()).toBeVisible()
    await expect(hosted.getByRole('table').getByText('Cloud Concepts')).toBeVisible()
    await expectGood(hosted)
    await visit(hosted, '/my-courses')
    await expect(hosted.getByText('Practice Exam 1').first()).toBeVisible()
    await expectGood(hosted)
  })
