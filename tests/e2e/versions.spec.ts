import { selecting } from '../support/answers.ts'
import type { Page } from '@playwright/test'
import { admin, aNewcomer } from './shared-users.ts'
import {
  expect,
  expectGoodPage,
  linkIn,
  mailTo,
  registerAndVerify,
  signIn,
  test,
  untilHydrated,
  visit,
} from './e2e-test.ts'

type Taken = { id: string; questions: { id: string; stem: string; isMultiple: boolean; options: { id: string }[] }[] }

/** A call of the API with the page's own cookies. */
async function call<Reply>(page: Page, method: string, path: string, body?: unknown): Promise<Reply> {
  const origin = new URL(page.url()).origin
  const reply = await page.request.fetch(`${origin}${path}`, {
    method,
    headers: { origin },
    ...(body === undefined ? {} : { data: body }),
  })
  expect(reply.ok(), `${method} ${path}: ${await reply.text()}`).toBe(true)
  return (await reply.json()) as Reply
}

type Course = {
  id: string
  slug: string
  exams: { id: string; slug: string; title: string; isFreeTrial: boolean }[]
}

/** The free-trial exam of a course, as an admin sees it. */
async function findTrial(page: Page, courseSlug: string) {
  const { courses } = await call<{ courses: Course[] }>(page, 'GET', '/api/admin/courses')
  const course = courses.find(({ slug }) => slug === courseSlug)!
  return { course, exam: course.exams.find(({ isFreeTrial }) => isFreeTrial)! }
}

/** The try before this one may have left a draft. */
async function discardDraft(page: Page, examId: string) {
  if (test.info().retry === 0) return
  const { version } = await call<{ version: number }>(page, 'POST', `/api/exams/${examId}/draft`)
  await call(page, 'DELETE', `/api/exams/${examId}/draft`, { version })
}

/** A course for each try: the second version can be published once. */
const published = [
  'aws-certified-advanced-networking-specialty',
  'aws-certified-solutions-architect-professional',
  'aws-certified-generative-ai-developer-professional',
]

test('an admin edits a taken exam and publishes; then mends a key, and the learner sees both and is told', async ({
  browser,
  problems,
}) => {
  test.setTimeout(240_000)
  // The editor is asked to save a question without text.
  problems.allow(/status of 400/)
  const forAdmin = await (await browser.newContext()).newPage()
  const forLearner = await (await browser.newContext()).newPage()
  const learner = aNewcomer('Lea Learner')
  await registerAndVerify(forLearner, learner)
  await signIn(forAdmin, admin)

  const { course, exam } = await findTrial(forAdmin, published[test.info().retry]!)
  const taken = await call<Taken>(forLearner, 'POST', '/api/attempts', { examSlug: exam.slug, mode: 'preview' })
  const place = taken.questions.findIndex(({ isMultiple }) => !isMultiple)
  const question = taken.questions[place]!

  await visit(forAdmin, `/admin/course-management/${course.id}`)
  await expectGoodPage(forAdmin)
  await forAdmin.getByRole('link', { name: exam.title, exact: true }).click()
  await expect(forAdmin.getByRole('heading', { level: 1, name: exam.title })).toBeVisible()
  await expectGoodPage(forAdmin)

  // The learner gives a wrong answer.
  await forAdmin.getByRole('button', { name: 'Edit the exam' }).click()
  await expect(forAdmin.getByRole('button', { name: 'Publish…' })).toBeVisible()
  const { question: stored } = await call<{ question: { options: { id: string; text: string; isRight: boolean }[] } }>(
    forAdmin,
    'GET',
    `/api/exams/${exam.id}/draft/questions/${question.id}`,
  )
  const chosen = stored.options.find(({ isRight }) => !isRight)!
  const answers = { [question.id]: { answer: selecting(chosen.id), seq: 1, writer: 'w' } }
  await call(forLearner, 'POST', `/api/attempts/${taken.id}/finish`, { answers })

  await test.step('edit a question in the draft', async () => {
    await expectGoodPage(forAdmin)
    await forAdmin.getByRole('link', { name: `Edit question ${place + 1}`, exact: true }).click()
    await expect(forAdmin.getByRole('heading', { level: 1, name: `Edit question ${place + 1}` })).toBeVisible()
    await expectGoodPage(forAdmin)
    await forAdmin.getByLabel('Question', { exact: true }).fill('')
    await forAdmin.getByRole('button', { name: 'Save to the draft' }).click()
    await expect(forAdmin.getByText('The question has no text.').first()).toBeVisible()
    await forAdmin.getByLabel('Question', { exact: true }).fill('Which one did an admin **rewrite**?')
    await forAdmin.getByLabel('Difficulty').selectOption('Hard')
    await expect(forAdmin.getByRole('region', { name: 'Preview' }).getByText('rewrite')).toBeVisible()
    await forAdmin.getByRole('button', { name: 'Save to the draft' }).click()
    await expect(forAdmin.getByText('Saved in the draft').first()).toBeVisible()
    await forAdmin.getByLabel('Search the questions').fill('zebra quagga')
    await forAdmin.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(forAdmin.getByText('No question matches')).toBeVisible()
    await forAdmin.getByLabel('Search the questions').fill('did an admin')
    await forAdmin.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(forAdmin.getByText(/^1 of \d+ questions$/)).toBeVisible()
    await expect(forAdmin.getByText('Hard', { exact: true })).toBeVisible()
  })

  await test.step('publish', async () => {
    await forAdmin.getByRole('button', { name: 'Publish…' }).click()
    const dialog = forAdmin.getByRole('dialog', { name: 'Publish version 2' })
    await expect(dialog.getByRole('heading', { name: 'Changed: 1' })).toBeVisible()
    await expectGoodPage(forAdmin)
    await dialog.getByRole('button', { name: 'Publish version 2' }).click()
    await expect(forAdmin.getByText('Version 2 is what new attempts get.')).toBeVisible()
    await expect(forAdmin.getByRole('button', { name: 'Edit the exam' })).toBeVisible()
  })

  await test.step('the old attempt keeps its text, a new one has the new text', async () => {
    await visit(forLearner, `/exam-review/${taken.id}`)
    await expect(forLearner.getByText('Which one did an admin')).toHaveCount(0)
    const again = await call<Taken>(forLearner, 'POST', '/api/attempts', { examSlug: exam.slug, mode: 'preview' })
    expect(again.questions[place]?.stem).toBe('Which one did an admin **rewrite**?')
    expect(again.questions[place]?.id).toBe(question.id)
  })

  await test.step('mend the key', async () => {
    await visit(forAdmin, `/admin/exams/${exam.id}`)
    await forAdmin.getByRole('link', { name: `Correct the answer key of question ${place + 1}`, exact: true }).click()
    await expect(forAdmin.getByRole('heading', { level: 1, name: 'Correct the answer key' })).toBeVisible()
    const at = stored.options.indexOf(chosen)
    await forAdmin.getByRole('group', { name: 'The right answers' }).getByRole('radio').nth(at).check()
    await forAdmin.getByRole('button', { name: 'Preview' }).click()
    await expect(forAdmin.getByText('1 of 1 finished attempt')).toBeVisible()
    await expect(forAdmin.getByText('Lea Learner')).toBeVisible()
    await expectGoodPage(forAdmin)
    await forAdmin.getByRole('button', { name: 'Correct the answer key and regrade 1 result' }).click()
    await expect(forAdmin.getByText('Say why. Learners whose result changes read it.')).toBeVisible()
    await forAdmin.getByLabel('Why').fill('the provider has changed its limits.')
    await forAdmin.getByRole('button', { name: 'Correct the answer key and regrade 1 result' }).click()
    await expect(forAdmin.getByText('Results regraded: 1. Learners told by email: 1.')).toBeVisible()
  })

  await test.step('the learner is told, and sees what the result was before', async () => {
    const mail = await mailTo(learner.email, /Your result has changed/)
    await forLearner.goto(linkIn(mail))
    await untilHydrated(forLearner)
    await expect(forLearner).toHaveURL(new RegExp(`/exam-review/${taken.id}$`))
    await expect(forLearner.getByText(/^This result was regraded on .* because the provider has changed/)).toBeVisible()
    await expect(forLearner.getByText('Before: 0%')).toBeVisible()
    await expectGoodPage(forLearner)
  })
})

test('of two admins who edit the same question the second is told, and sees what is stored', async ({
  browser,
  problems,
}) => {
  test.setTimeout(120_000)
  problems.allow(/status of 409/)
  const first = await (await browser.newContext()).newPage()
  const second = await (await browser.newContext()).newPage()
  await signIn(first, admin)
  await signIn(second, admin)
  const { exam } = await findTrial(first, 'aws-certified-devops-engineer-professional')
  await discardDraft(first, exam.id)
  await visit(first, `/admin/exams/${exam.id}`)
  await first.getByRole('button', { name: 'Edit question 2', exact: true }).click()
  await expect(first.getByRole('heading', { level: 1, name: 'Edit question 2' })).toBeVisible()
  await visit(second, first.url())
  const link = (page: Page) => page.getByLabel("The provider's page")
  await link(first).fill('https://example.com/first')
  await first.getByRole('button', { name: 'Save to the draft' }).click()
  await expect(first.getByText('Saved in the draft').first()).toBeVisible()

  await link(second).fill('https://example.com/second')
  await second.getByRole('button', { name: 'Save to the draft' }).click()
  await expect(second.getByText('Somebody else changed this since you opened it.')).toBeVisible()
  await expectGoodPage(second)
  await second.getByRole('button', { name: 'Take what is stored' }).click()
  await expect(link(second)).toHaveValue('https://example.com/first')

  await visit(first, `/admin/exams/${exam.id}`)
  await first.getByRole('button', { name: 'Discard draft…' }).click()
  await first.getByRole('button', { name: 'Discard the draft', exact: true }).click()
  await expect(first.getByText('Draft discarded')).toBeVisible()
})

test("'Save and next' on a new question says that it saved, and counts the question at once", async ({ page }) => {
  await signIn(page, admin)
  const { exam } = await findTrial(page, 'aws-certified-devops-engineer-professional')
  await discardDraft(page, exam.id)
  await visit(page, `/admin/exams/${exam.id}`)
  await page.getByRole('button', { name: 'Edit question 1', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Edit question 1' })).toBeVisible()
  await visit(page, `/admin/exams/${exam.id}/new-question`)
  const total = page.getByText(/, \d+ questions in the draft$/)
  const before = Number(/(\d+) questions/.exec((await total.textContent()) ?? '')?.[1])
  await page.getByLabel('Question', { exact: true }).fill('Which of these can be saved?')
  await page.getByLabel('Answer A', { exact: true }).fill('This one')
  await page.getByLabel('Answer B', { exact: true }).fill('None')
  await page.keyboard.press('Alt+Digit1')
  await page.getByRole('button', { name: 'Save and next' }).click()
  await expect(page.getByRole('main').getByText('Saved in the draft').first()).toBeVisible()
  await expect(total).toContainText(`, ${before + 1} questions`)
  await expect(page.getByLabel('Question', { exact: true })).toHaveValue('')

  await visit(page, `/admin/exams/${exam.id}`)
  await page.getByRole('button', { name: 'Discard draft…' }).click()
  await page.getByRole('button', { name: 'Discard the draft', exact: true }).click()
  await expect(page.getByText('Draft discarded')).toBeVisible()
})
