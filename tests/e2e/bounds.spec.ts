import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import {
  descriptionCases,
  emailCases,
  feedbackCases,
  nameCases,
  passwordCases,
  passwordItem,
  priceCases,
  questionCases,
  slugCases,
  titleCases,
  type RuleCase,
} from '../support/rule-cases.ts'
import { admin, aNewcomer } from './shared-users.ts'
import { expect, signIn, test, visit } from './e2e-test.ts'

// The table of tests/unit/rule-bounds.test.ts, typed into the forms: the same sentences, from the same code.

/** What stands at a field as its problem: the description of a field that says that it is invalid. */
async function problemAt(field: Locator): Promise<string[]> {
  return field.evaluate((input) => {
    if (input.getAttribute('aria-invalid') !== 'true') return []
    const ids = (input.getAttribute('aria-describedby') ?? '').split(' ')
    return ids
      .filter((id) => id.endsWith('problem'))
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .filter((text) => text !== '')
  })
}

/** Types each case and compares what the field tells; the name of each that differs stands in the failure. */
async function expectTold(cases: readonly RuleCase[], field: Locator, type: (typed: string) => Promise<unknown>) {
  for (const { name, input, messages } of cases) {
    await type(input)
    await expect.poll(() => problemAt(field), { message: name }).toEqual(messages)
  }
}

/** The list of the admins stays as short as it was. */
async function forget(page: Page, courseId: string) {
  const reply = await page.request.delete(`/api/courses/${courseId}`, {
    headers: { origin: new URL(page.url()).origin },
  })
  expect(reply.status()).toBe(200)
}

async function openCourseForm(page: Page) {
  await page.getByRole('button', { name: 'New course' }).click()
  return page.getByRole('dialog', { name: 'New course' })
}

test('the register form judges name, address and password at their bounds, as they are typed', async ({ page }) => {
  test.setTimeout(150_000)
  await visit(page, '/register')
  const name = page.getByLabel('Full Name')
  await expectTold(nameCases, name, async (typed) => {
    await name.fill(typed)
    await name.blur()
  })
  const email = page.getByLabel('Email address')
  // A field that is still empty says nothing before it is sent; a browser takes white space off an address by itself.
  const addresses = emailCases.filter(({ input }) => input.trim() !== '')
  await expectTold(addresses, email, async (typed) => {
    await email.fill(typed)
    await email.blur()
  })
  const password = page.getByLabel('Password', { exact: true })
  const list = password.locator('xpath=ancestor::div[1]').getByRole('listitem')
  const items = (told: readonly string[]) => told.map((sentence) => passwordItem[sentence] ?? sentence)
  const met = page.getByText('✓ Password meets all security requirements')
  for (const { name: what, input, messages } of passwordCases) {
    await password.fill(input)
    const said = async () => [...(await problemAt(password)), ...(await list.allTextContents())]
    await expect.poll(said, { message: what }).toEqual(items(messages))
    await expect(met, what).toBeVisible({ visible: messages.length === 0 })
  }
})

test('the register form sends nothing that the rules refuse, and a mismatch blocks it without a word', async ({
  page,
}) => {
  const user = aNewcomer()
  await visit(page, '/register')
  const submit = page.getByRole('button', { name: 'Create account' })
  const confirmation = page.getByLabel('Confirm Password')
  await page.getByLabel('Full Name').fill(user.name)
  await page.getByLabel('Email address').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill('Correct-Horse-é7!')
  // Composed and combining marks look alike and are not the same password.
  for (const typed of ['Correct-Horse-e\u03017!', 'Correct-Horse-é7', 'Correct-Horse-é7!!', ' Correct-Horse-é7!']) {
    await confirmation.fill(typed)
    await expect(page.getByText('Passwords do not match')).toBeVisible()
    await expect(submit).toBeDisabled()
  }
  await confirmation.fill('Correct-Horse-é7!')
  await expect(page.getByText('✓ Passwords match')).toBeVisible()
  await expect(submit).toBeEnabled()
  for (const blank of nameCases.filter(({ messages }) => messages[0] === 'Full name is required')) {
    await page.getByLabel('Full Name').fill(blank.input)
    await expect(submit).toBeDisabled()
  }
  await page.getByLabel('Full Name').fill('x'.repeat(201))
  await submit.click()
  await expect(page.getByText('Full name must be at most 200 characters long')).toBeVisible()
  await page.getByLabel('Full Name').fill('x'.repeat(200))
  await page.getByLabel('Email address').fill(`${'x'.repeat(315)}@ab.cd`)
  await submit.click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect(page.getByLabel('Full Name')).toHaveValue('x'.repeat(200))
  await expect(page).toHaveURL(/\/register$/)
})

test('the sign-in form judges what is typed before it counts a try', async ({ page }) => {
  await visit(page, '/login')
  const email = page.getByLabel('Email address')
  const enter = page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true })
  await page.getByLabel('Password', { exact: true }).fill('Correct-Horse-7!')
  const refused = emailCases.filter(({ messages }) => messages.length > 0)
  await expectTold(refused, email, async (typed) => {
    await email.fill(typed)
    await enter.click()
  })
  await email.fill(aNewcomer().email)
  const password = page.getByLabel('Password', { exact: true })
  for (const typed of ['', 'x'.repeat(257), 'x'.repeat(10_000)]) {
    await password.fill(typed)
    await enter.click()
    await expect.poll(() => problemAt(password)).toEqual(['Invalid email or password'])
  }
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('rate_limit_')))).toEqual(
    [],
  )
})

test('a browser allows five tries of an address in five minutes, by the clock, and each address has its own', async ({
  page,
  problems,
}) => {
  problems.allow(/status of 401/)
  await page.clock.install()
  await visit(page, '/login')
  const tooOften = page.getByText('Too many login attempts. Please try again later.')
  const wrong = page.getByText('Invalid email or password')
  const email = page.getByLabel('Email address')
  const enter = page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true })
  await page.getByLabel('Password', { exact: true }).fill('Wrong-Horse-7!')
  const [one, other] = [aNewcomer().email, aNewcomer().email]
  const haveTried = (address: string, ages: readonly number[]) =>
    page.evaluate(([key, ages]) => localStorage.setItem(key, JSON.stringify(ages.map((age) => Date.now() - age))), [
      `rate_limit_${address}_login`,
      ages,
    ] as const)
  await haveTried(one, [10, 20, 30, 40])
  await email.fill(one)
  await enter.click()
  await expect(wrong).toBeVisible()
  await enter.click()
  await expect(tooOften).toBeVisible()
  await email.fill(other)
  await enter.click()
  await expect(wrong).toBeVisible()
  // Five minutes later the first address may try again.
  await page.clock.fastForward(300_000)
  await email.fill(one)
  await enter.click()
  await expect(wrong).toBeVisible()
  await expect(tooOften).toBeHidden()
})

test('the form of a course judges title, description and price at their bounds', async ({ page }) => {
  test.setTimeout(180_000)
  await signIn(page, admin)
  await visit(page, '/admin/course-management')
  const form = await openCourseForm(page)
  const [title, description] = [form.getByLabel('Title'), form.getByLabel('Description')]
  const price = form.getByLabel('Price in dollars')
  const save = form.getByRole('button', { name: 'Save course' })
  // With a price that is refused the form stays open, whatever else is typed.
  await price.fill('-1')
  await expectTold(titleCases, title, async (typed) => {
    await title.fill(typed)
    await save.click()
  })
  await expectTold(descriptionCases, description, async (typed) => {
    await description.fill(typed)
  })
  await title.fill('')
  await description.fill('')
  await expectTold(priceCases, price, async (typed) => {
    await price.fill(typed)
    await save.click()
  })
  await form.getByRole('button', { name: 'Cancel' }).click()

  // The price in the list is judged by the same rule.
  const made = await page.request.post('/api/courses', {
    data: { title: `Priced ${randomBytes(4).toString('hex')}`, price: 1 },
    headers: { origin: new URL(page.url()).origin },
  })
  const { id } = (await made.json()) as { id: string }
  await visit(page, '/admin/course-management')
  const row = page.getByRole('listitem').filter({ has: page.locator(`a[href="/admin/course-management/${id}"]`) })
  const field = row.getByRole('textbox', { name: /^Price of / })
  await expectTold(
    priceCases.filter(({ messages }) => messages.length > 0),
    field,
    async (typed) => {
      await field.fill(typed)
      await field.press('Enter')
    },
  )
  await forget(page, id)
})

test('a course is addressed by its title as the rule says', async ({ page }) => {
  test.setTimeout(150_000)
  await signIn(page, admin)
  await visit(page, '/admin/course-management')
  const mark = randomBytes(4).toString('hex').replaceAll(/\d/g, 'x')
  for (const { title } of slugCases) {
    const form = await openCourseForm(page)
    await form.getByLabel('Title').fill(title)
    await form.getByLabel('Description').fill(`${mark}: ${title}`)
    await form.getByRole('button', { name: 'Save course' }).click()
    await expect(form).toBeHidden()
  }
  await expect(page.getByText('All changes are saved.')).toBeVisible({ timeout: 60_000 })
  const reply = await page.request.get('/api/admin/courses')
  const { courses } = (await reply.json()) as {
    courses: { id: string; title: string; description: string; slug: string }[]
  }
  for (const { title, slug } of slugCases) {
    const made = courses.find(({ description }) => description === `${mark}: ${title}`.trim())
    expect(made?.title).toBe(title.trim())
    expect(made?.slug, title).toMatch(slug === null ? /^item-\d{13}(-\d+)?$/ : new RegExp(`^${slug}(-\\d+)?$`))
    await forget(page, made?.id ?? '')
  }
})

test('the form of an exam takes a question only with its five texts', async ({ page }) => {
  test.setTimeout(150_000)
  await signIn(page, admin)
  await visit(page, '/admin/course-management')
  await page
    .getByRole('button', { name: /^Add exam: / })
    .first()
    .click()
  const form = page.getByRole('dialog', { name: /^New exam in / })
  const questions = form.getByLabel('Questions as JSON (optional)')
  const problem = form.getByText(/^Question 1: /)
  // Without a title the form stays open, whatever else is typed.
  await form.getByRole('button', { name: 'Save exam' }).click()
  for (const { name, sent, isAccepted } of questionCases) {
    await questions.fill(JSON.stringify([sent]))
    await expect(problem, name).toBeVisible({ visible: !isAccepted })
  }
  for (const typed of ['{', '{}', '7', '"text"', 'x'.repeat(10_000)]) {
    await questions.fill(typed)
    await expect(form.getByText('This is not a JSON list of questions.')).toBeVisible()
  }
})

test('the feedback widget judges its text at its bounds, and lets nothing empty go', async ({ page }) => {
  await visit(page, '/')
  await page.getByRole('button', { name: 'Feedback' }).click()
  const text = page.getByLabel('Your feedback')
  const send = page.getByRole('button', { name: 'Send' })
  for (const { name, input, messages } of feedbackCases) {
    await text.fill(input)
    await text.blur()
    // What was never typed is not complained about.
    await expect.poll(() => problemAt(text), { message: name }).toEqual(input === '' ? [] : messages)
    await expect(send, name).toBeEnabled({ enabled: messages[0] !== 'Please enter your feedback' })
  }
})
