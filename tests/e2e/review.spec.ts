import { selecting } from '../support/answers.ts'
import type { Page } from '@playwright/test'
import { admin, aNewcomer } from './shared-users.ts'
import { expect, expectGoodPage, mailTo, registerAndVerify, signIn, test, untilHydrated, visit } from './e2e-test.ts'

const courseSlug = 'aws-certified-data-engineer-associate'
const sampler = { slug: 'dea-free-sampler', title: 'Free Sampler' }
const paidExam = 'dea-practice-exam-1'

type Taken = { readonly id: string; readonly questions: readonly { id: string; options: { id: string }[] }[] }
type Reviewed = { readonly questions: readonly { question: { id: string; rightOptionIds: string[] } }[] }

async function call(page: Page, method: string, path: string, data?: object): Promise<unknown> {
  const headers = { origin: new URL(page.url()).origin }
  const reply = await page.request.fetch(path, { method, headers, ...(data === undefined ? {} : { data }) })
  expect(reply.status(), `${method} ${path}: ${await reply.text()}`).toBe(200)
  return reply.json()
}

/** Takes an exam by the calls that its page makes: so many right by the keys, the second flagged, the third said to be unsure. */
async function take(page: Page, examSlug: string, mode: string, keys: Map<string, string[]>, rightCount: number) {
  const { id, questions } = (await call(page, 'POST', '/api/attempts', { examSlug, mode, writer: 'w' })) as Taken
  for (const [place, question] of questions.entries()) {
    const rights = keys.get(question.id) ?? []
    // Without the keys nothing is chosen: a guess might be right.
    const wrong = keys.size === 0 ? [] : question.options.filter(({ id: one }) => !rights.includes(one)).slice(0, 1)
    await call(page, 'PUT', `/api/attempts/${id}/answers/${question.id}`, {
      answer: selecting(...(place < rightCount ? rights : wrong.map((answer) => answer.id))),
      isFlagged: place === 1,
      confidence: place === 2 ? 'unsure' : null,
      activeMs: 60_000,
      seq: 1,
      writer: 'w',
    })
  }
  await call(page, 'POST', `/api/attempts/${id}/finish`, { writer: 'w' })
  const review = (await call(page, 'GET', `/api/attempts/${id}/review`)) as Reviewed
  for (const { question } of review.questions) keys.set(question.id, question.rightOptionIds)
  return { id, count: questions.length }
}

async function aLearner(page: Page) {
  const learner = aNewcomer('Rena Reviewer')
  await registerAndVerify(page, learner)
  return learner
}

test('a review is filtered in its address and with the keyboard alone, prints clean, and leads to each question', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await aLearner(page)
  const keys = new Map<string, string[]>()
  await take(page, sampler.slug, 'preview', keys, 0)
  const { id, count } = await take(page, sampler.slug, 'preview', keys, 4)
  await visit(page, `/exam-review/${id}`)
  const questions = page.getByRole('article')
  const filters = page.getByRole('list', { name: 'Show' })
  await expect(questions).toHaveCount(count)
  await expectGoodPage(page)

  for (const [name, shown] of [
    ['Wrong', count - 4],
    ['Flagged', 1],
    ['Unsure', 1],
  ] as const) {
    const link = filters.getByRole('link', { name: `${name} ${shown}`, exact: true })
    await link.focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`show=${name.toLowerCase()}`))
    await expect(questions).toHaveCount(shown)
    await expect(link).toHaveAttribute('aria-current', 'true')
    await expect(link).toBeFocused()
  }
  await page.reload()
  await untilHydrated(page)
  await expect(questions).toHaveCount(1)
  await filters.getByRole('link', { name: /^All/ }).click()
  await expect(page).not.toHaveURL(/show=/)
  // The address changes a moment before the list, and the domains are counted with the list.
  await expect(questions).toHaveCount(count)

  const domains = page.getByRole('combobox', { name: 'Domain' })
  const chosen = await domains.getByRole('option').nth(1).textContent()
  await domains.selectOption({ index: 1 })
  await expect(page).toHaveURL(/domain=/)
  await expect(questions).toHaveCount(Number(/\((\d+)\)$/.exec(chosen ?? '')?.[1]))
  // A domain that the exam does not have is none.
  await visit(page, `/exam-review/${id}?domain=Cooking&show=nonsense`)
  await expect(questions).toHaveCount(count)

  await page.getByRole('link', { name: 'Question 3', exact: true }).first().click()
  await expect(page).toHaveURL(/#question-3$/)
  await expect(page.locator('#question-3')).toBeFocused()

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Explanation' })).toHaveCount(count)
  const colours = await page.evaluate(() => {
    const of = (element: Element) => getComputedStyle(element)
    return { paper: of(document.documentElement).backgroundColor, ink: of(document.querySelector('h1')!).color }
  })
  expect(colours).toEqual({ paper: 'rgb(255, 255, 255)', ink: 'rgb(0, 0, 0)' })
})

test('a question is challenged in a review, an admin settles it with a note, the reporter is told by mail, and the course lists the correction', async ({
  page,
  browser,
  problems,
}) => {
  test.setTimeout(180_000)
  // Words that are missing are said by the server.
  problems.allow(/400 \(Bad Request\).*\/reports\//)
  const learner = await aLearner(page)
  const { id } = await take(page, sampler.slug, 'preview', new Map(), 0)
  await visit(page, `/exam-review/${id}`)
  await page.getByRole('button', { name: 'Report this question: number 2', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Report question 2' })
  await form.getByRole('button', { name: 'Send report' }).click()
  await expect(form.getByText('Choose what is wrong.')).toBeVisible()
  await form.getByRole('radio', { name: 'Something else' }).check()
  await form.getByRole('button', { name: 'Send report' }).click()
  await expect(form.getByText('Say what is wrong.')).toBeVisible()
  await form.getByRole('radio', { name: 'The right answer is not right' }).check()
  const words = `The guide says B, read by ${learner.email}`
  await form.getByLabel('In your words (optional)').fill(words)
  const claim = form.getByRole('region', { name: 'Which answer is right? (optional)' })
  await claim.getByRole('radio').or(claim.getByRole('checkbox')).nth(1).check()
  await form.getByRole('button', { name: 'Send report' }).click()
  await expect(form.getByText('Without it nobody can check what is right.')).toBeVisible()
  await form.getByLabel('Page that says so').fill('https://docs.example.com/limits')
  await expectGoodPage(page)
  await form.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByText('You reported this question.')).toBeVisible()
  await page.reload()
  await untilHydrated(page)
  await expect(page.getByRole('button', { name: 'Change your report: question 2' })).toBeVisible()

  const desk = await (await browser.newContext()).newPage()
  await signIn(desk, admin)
  await visit(desk, '/admin/reports')
  const report = desk.getByRole('listitem').filter({ hasText: words })
  await expect(report.getByRole('heading', { name: 'The right answer is not right Challenge' })).toBeVisible()
  await expect(report.getByText('thought right')).toHaveCount(1)
  await expect(report.getByText('answer key', { exact: true })).not.toHaveCount(0)
  await expect(report.getByRole('link', { name: 'Its source: docs.example.com' })).toBeVisible()
  await expectGoodPage(desk)
  await report.getByRole('link', { name: /^The question in its exam/ }).click()
  await expect(desk).toHaveURL(/\/admin\/exams\//)
  await expect(desk.getByRole('main').getByRole('listitem')).not.toHaveCount(0)
  await visit(desk, '/admin/reports')
  await report.getByRole('button', { name: /^Settle/ }).click()
  const ending = desk.getByRole('dialog', { name: 'Settle this report' })
  await ending.getByRole('radio', { name: /^Corrected/ }).check()
  await ending.getByRole('button', { name: 'Settle and tell them' }).click()
  await expect(ending.getByText('Say in a sentence why.')).toBeVisible()
  await ending.getByLabel('Note to the reporter').fill('You are right: it is B now.')
  await ending.getByRole('button', { name: 'Settle and tell them' }).click()
  await expect(report).toHaveCount(0)
  await desk.getByRole('link', { name: 'Settled' }).click()
  await expect(report.getByText(`Corrected, by ${admin.email}`)).toBeVisible()
  await expect(report.getByText('You are right: it is B now.')).toBeVisible()
  await expectGoodPage(desk)

  const mail = await mailTo(learner.email, /^Your report of a question: corrected$/)
  expect(mail.text).toContain('You are right: it is B now.')
  expect(mail.text).toContain(`/exam-review/${id}#question-2`)
  await visit(desk, `/course/${courseSlug}`)
  // Nobody has changed the key.
  await expect(desk.getByRole('region', { name: 'Corrections' }).getByText('It was corrected.').first()).toBeVisible()
  await expectGoodPage(desk)
  await desk.context().close()
})

test('in practice a question is reported once its answer was checked', async ({ page }) => {
  await aLearner(page)
  await visit(page, `/course/${courseSlug}/exam/${sampler.slug}/preview`)
  const answers = page.getByRole('group').getByRole('radio').or(page.getByRole('group').getByRole('checkbox'))
  await answers.first().check()
  await expect(page.getByRole('button', { name: /^Report this question/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Check answer' }).click()
  await page.getByRole('button', { name: 'Report this question: number 1', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Report question 1' })
  // Keys that mean something to the exam mean nothing to it while the dialog is open.
  await form.getByRole('radio', { name: 'It is outdated' }).check()
  await page.keyboard.press('f')
  await form.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByText('You reported this question.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Flag', exact: true })).toHaveAttribute('aria-pressed', 'false')
})

test('scores over time stand on the start page as a chart with its table, a step from My Courses', async ({ page }) => {
  test.setTimeout(180_000)
  await aLearner(page)
  const keys = new Map<string, string[]>()
  const { count } = await take(page, sampler.slug, 'preview', keys, 0)
  const start = `/course/${courseSlug}/exam/${sampler.slug}`
  await visit(page, start)
  // One attempt is no line.
  await expect(page.getByRole('figure')).toHaveCount(0)
  await take(page, sampler.slug, 'preview', keys, count)
  await visit(page, '/my-courses')
  await page.getByRole('link', { name: `All attempts at ${sampler.title}` }).click()
  await expect(page).toHaveURL(new RegExp(`${start}#attempts$`))
  const chart = page.getByRole('figure')
  await expect(chart.getByText('Scores of your 2 attempts, the first on the left: 0% then, 100% now')).toBeVisible()
  await expect(chart.getByText('72% to pass').locator('visible=true')).toHaveCount(1)
  await expect(page.getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('row', { name: /100% Passed/ })).toBeVisible()
  await expectGoodPage(page)
  await page
    .getByRole('link', { name: /^Review of / })
    .last()
    .click()
  await expect(page).toHaveURL(/\/exam-review\//)
})

test('extra time that an admin sets stands on the start page, lengthens the clock, and stands in the result', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000)
  const learner = await aLearner(page)
  await buy(page)
  const desk = await (await browser.newContext()).newPage()
  await signIn(desk, admin)
  await visit(desk, '/admin/manage-users')
  await desk.getByLabel('Name or email address').fill(learner.email.toUpperCase())
  await desk.getByRole('button', { name: 'Search' }).click()
  const user = desk
    .getByRole('main')
    .getByRole('row')
    .filter({ has: desk.getByRole('link') })
  await expect(user).toHaveCount(1)
  await user.getByRole('link').click()
  await desk.getByRole('combobox', { name: /^Extra time of/ }).selectOption('× 1.5')
  await desk.getByRole('button', { name: /^Set the extra time/ }).click()
  await expect(desk.getByText('Extra time set')).toBeVisible()
  await desk.goBack()
  await expect(user.getByText('× 1.5')).toBeVisible()
  await expectGoodPage(desk)
  await desk.getByLabel('Name or email address').fill('nobody@nowhere.example')
  await desk.getByRole('button', { name: 'Search' }).click()
  await expect(desk.getByText('No user matches')).toBeVisible()
  await desk.context().close()

  await visit(page, `/course/${courseSlug}/exam/${paidExam}`)
  await expect(page.getByText('With your extra time, x1.5; 130 without it.')).toBeVisible()
  await expect(page.getByText('195', { exact: true })).toBeVisible()
  await expectGoodPage(page)
  const { id } = await take(page, paidExam, 'timed', new Map(), 0)
  await visit(page, `/exam-review/${id}`)
  await expect(page.getByText('Extra time x1.5: 195 minutes instead of 130.')).toBeVisible()
})

test('a review without access keeps result and notes, says why the keys are gone, and leads to the course', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000)
  const learner = await aLearner(page)
  const courseId = await buy(page)
  const { id, count } = await take(page, paidExam, 'practice', new Map(), 0)
  const drill = (await call(page, 'POST', '/api/drills', { courseSlug, filters: { count: 1 } })) as {
    id: string
    questions: { question: { options: { id: string }[] } }[]
  }
  const answer = selecting(drill.questions[0]!.question.options[0]!.id)
  await call(page, 'POST', `/api/drills/${drill.id}/questions/0/check`, { answer })
  await visit(page, `/exam-review/${id}`)
  await expect(page.getByText('Right answer', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Explanation' })).toHaveCount(count)

  const desk = await (await browser.newContext()).newPage()
  await signIn(desk, admin)
  const { user } = (await call(page, 'GET', '/api/auth/session')) as { user: { id: string } }
  await call(desk, 'POST', `/api/profiles/${user.id}/access/${courseId}/end`, { reason: `Asked by ${learner.name}` })
  await desk.context().close()

  await visit(page, `/exam-review/${id}`)
  await expect(page.getByText('the right answers and explanations are not shown. Your result,')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(count)
  await expect(page.getByText('Right answer', { exact: true })).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Explanation' })).toHaveCount(0)
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'See the course' }).click()
  await expect(page).toHaveURL(new RegExp(`/course/${courseSlug}$`))

  await visit(page, `/course/${courseSlug}/drill/${drill.id}`)
  await expect(page.getByText('the right answers and explanations are not shown. Your result')).toBeVisible()
  await expect(page.getByText('Right answer', { exact: true })).toHaveCount(0)
  await expectGoodPage(page)
})

/** Buys the course by the calls that cart, payment page and success page make. */
async function buy(page: Page): Promise<string> {
  const { courses } = (await call(page, 'GET', '/api/courses')) as { courses: { id: string; slug: string }[] }
  const course = courses.find(({ slug }) => slug === courseSlug)
  const cartItems = [{ id: course?.id, quantity: 1 }]
  const { url } = (await call(page, 'POST', '/api/functions/create-cart-payment', { cartItems })) as { url: string }
  await page.request.post(url, {
    form: { method: 'card', card_number: '4242 4242 4242 4242', expiry: '12/39', cvc: '123', name: 'Rena' },
    maxRedirects: 0,
  })
  await call(page, 'POST', '/api/functions/verify-payment', { sessionId: url.split('/pay/')[1] })
  return course?.id ?? ''
}
