import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { admin } from './shared-users.ts'
import { dataFolder, launch, untilReady, type ServerProcess } from './server-process.ts'
import { choose, expect, expectGoodPage, test, visit } from './e2e-test.ts'

let folder: Awaited<ReturnType<typeof dataFolder>>
let server: ServerProcess

test.beforeAll(async () => {
  folder = await dataFolder()
  server = launch(folder.path, await freePort(), {
    DEMO_CATALOGUE: 'off',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  })
  await untilReady(server)
})
test.afterAll(async () => {
  server.child.kill('SIGTERM')
  await server.ended
  await folder.remove()
})

async function signIn(page: Page) {
  const { email, password } = admin
  const reply = await page.request.post(`${server.url}/api/auth/sign-in`, {
    headers: { origin: server.url },
    data: { email, password },
  })
  expect(reply.status()).toBe(200)
}

const gift = `::First:: Which service keeps objects? {
=Amazon S3
~AWS Lambda
#### Amazon S3 keeps objects.
}

::Second:: Which service runs code? {
~Amazon S3
~AWS Lambda
#### AWS Lambda runs code.
}

::Third:: Which service holds files? {
=Amazon EFS
~Amazon SQS
#### Amazon EFS holds files.
}
`

async function sendFile(page: Page, name: string, text: string | Buffer) {
  await visit(page, `${server.url}/admin/import`)
  await page
    .getByLabel('Files or a zip file')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  await page.getByRole('button', { name: 'Read and judge' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}

test('from an empty catalogue to a published course by import, and back out without a change', async ({
  page,
  problems,
}) => {
  test.setTimeout(240_000)
  // A question is saved before it is corrected.
  problems.allow(/status of 400/)
  await signIn(page)
  await visit(page, `${server.url}/admin/import`)
  await expect(page.getByText('Nothing was imported yet')).toBeVisible()
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Read and judge' }).click()
  await expect(page.getByText('Choose a file, or paste text.')).toBeVisible()

  // A dry run with one question to correct.
  await sendFile(page, 'quiz.gift', gift)
  const counts = page.getByRole('region', { name: 'Result' })
  await expect(counts.getByRole('link', { name: /2\s*Good/ })).toBeVisible()
  await expect(counts.getByRole('link', { name: /1\s*Refused/ })).toBeVisible()
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Correct the question of line 7' }).click()
  await expect(page.getByRole('heading', { name: 'Correct a question' })).toBeVisible()
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('No answer is marked as right.').first()).toBeVisible()
  await page.getByRole('checkbox', { name: 'Answer B is right' }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('It is stored with the others when you store them.')).toBeVisible()

  // Into a new course, published at once.
  await page.getByLabel('Title of the course').fill('Objects and Functions')
  await page.getByLabel('Level').selectOption({ label: 'Foundational' })
  await page.getByLabel('Price in dollars').fill('12.50')
  await page.getByLabel('Title of the exam').fill('Practice Exam 1')
  await page.getByRole('checkbox', { name: 'Publish the course at once' }).check()
  await page.getByRole('button', { name: 'Store 3 questions' }).click()
  await expect(page.getByText('3 added, 0 changed.')).toBeVisible()
  await page.getByRole('link', { name: /View the exam/ }).click()
  await expect(page.getByRole('heading', { name: 'Practice Exam 1', level: 1 })).toBeVisible()

  // A guest sees it.
  const guest = await page.context().browser()!.newContext({ serviceWorkers: 'block' })
  const shop = await guest.newPage()
  await visit(shop, server.url)
  await expect(shop.getByRole('heading', { name: 'Objects and Functions' })).toBeVisible()
  await expect(shop.getByText('$12.50').first()).toBeVisible()

  // With a free trial they are asked the question that was corrected, and told the answer that was marked.
  type Course = { id: string; slug: string; exams: { slug: string }[] }
  const { courses } = (await (await page.request.get(`${server.url}/api/admin/courses`)).json()) as {
    courses: Course[]
  }
  const course = courses[0]!
  const imported = page.url()
  await visit(page, `${server.url}/admin/course-management/${course.id}`)
  const trial = page.getByRole('switch', { name: 'Free trial: Practice Exam 1' })
  await trial.click()
  await expect(trial).toBeChecked()
  await visit(shop, `${server.url}/course/${course.slug}/exam/${course.exams[0]!.slug}/preview`)
  await shop.getByRole('radio', { name: 'Amazon S3' }).check()
  await shop.getByRole('button', { name: 'Check answer' }).click()
  await shop.getByRole('button', { name: 'Next' }).click()
  await expect(shop.getByText('Which service runs code?')).toBeVisible()
  await shop.getByRole('radio', { name: 'AWS Lambda' }).check()
  await shop.getByRole('button', { name: 'Check answer' }).click()
  await expect(shop.getByText('AWS Lambda runs code.')).toBeVisible()
  await guest.close()
  await visit(page, imported)

  // Out again, and in: nothing changed.
  await page.getByRole('link', { name: 'Export questions' }).click()
  await page.getByRole('radio', { name: /^Markdown/ }).check()
  await expect(page.getByText('Nothing is lost.')).toBeVisible()
  await expectGoodPage(page)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  const download = await downloading
  const text = await readFile(await download.path())
  await sendFile(page, 'practice-exam-1.md', text)
  await expect(page.getByText('Nothing changed: the bank holds every question of this file.')).toBeVisible()

  // On paper, with its key apart.
  await page
    .getByRole('link', { name: /In the bank: Practice Exam 1/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'Print', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Practice Exam 1', level: 1 })).toBeVisible()
  await expect(page.getByText('Which service runs code?')).toBeVisible()
  await expect(page.getByText('AWS Lambda runs code.')).toBeHidden()
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Show the answer key' }).click()
  await expect(page.getByText('AWS Lambda runs code.')).toBeVisible()
})

test('a file of no format that is known is read as the one of the nearest that is pressed', async ({ page }) => {
  await signIn(page)
  await sendFile(page, 'place.txt', '1. Which service keeps objects?\na) Amazon S3\nb) AWS Lambda\nKey - b\n')
  await expect(page.getByRole('heading', { name: 'Which format is it?' })).toBeVisible()
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Read as Aiken' }).click()
  await expect(page.getByRole('heading', { name: 'Which format is it?' })).toBeHidden()
  await expect(page.getByRole('region', { name: 'Result' })).toBeVisible()
  // Aiken marks its answer otherwise, so that the other format is offered still.
  await expect(page.getByRole('heading', { name: 'Is it another format?' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Read as Markdown/ })).toBeVisible()
})

test('pasted rows of a table are read with the columns that one names', async ({ page }) => {
  await signIn(page)
  await visit(page, `${server.url}/admin/import`)
  await page.getByRole('radio', { name: 'Paste' }).check()
  await page
    .getByLabel('Questions as text')
    .fill('What,This,That,Right,Why\nWhich queue keeps order?,Amazon SQS FIFO,Amazon S3,A,FIFO keeps order.\n')
  await page.getByRole('button', { name: 'Read and judge' }).click()
  await expect(page.getByRole('heading', { name: 'Which column holds what?' })).toBeVisible()
  await expectGoodPage(page)
  for (const [field, column] of [
    ['Question', 'What'],
    ['Answer A', 'This'],
    ['Answer B', 'That'],
    ['Right answers', 'Right'],
    ['Explanation', 'Why'],
  ] as const)
    await page.getByLabel(field, { exact: true }).selectOption({ label: column })
  await page.getByRole('button', { name: 'Read with these columns' }).click()
  await expect(page.getByRole('region', { name: 'Result' }).getByRole('link', { name: /1\s*Good/ })).toBeVisible()
})

const courseFile = `---
title: Certified Kite Maker
category: associate
price: 24.5
---

How kites are made.
`
const examFile = `---
title: Paper and glue
slug: paper-and-glue
time_limit: 45
passing_score: 65
---
${[1, 2, 3, 4]
  .map(
    (number) => `
## kite-${number}

Which paper has weight number ${number}?

- [x] The one of ${number} grams
- [ ] Another one than ${number}

### Explanation

It is written on it, ${number} times.
`,
  )
  .join('')}`

test('a dropped folder becomes the course that it describes, which leaves whole, in part, and by a choice of questions', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await signIn(page)
  const above = await mkdtemp(join(tmpdir(), 'altocert-drop-'))
  const dropped = join(above, 'kite-maker')
  await mkdir(dropped)
  await writeFile(join(dropped, 'course.md'), courseFile)
  await writeFile(join(dropped, 'paper.md'), examFile)

  await test.step('dropped', async () => {
    await visit(page, `${server.url}/admin/import`)
    const box = (await page.getByLabel('Files or a zip file').boundingBox())!
    const browser = await page.context().newCDPSession(page)
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const data = { items: [], files: [dropped], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await browser.send('Input.dispatchDragEvent', { type, ...at, data })
    await expect(page.getByText(/^2 files,/)).toBeVisible()
    await page.getByRole('button', { name: 'Read and judge' }).click()
    await expect(page.getByRole('heading', { name: 'kite-maker.zip', level: 1 })).toBeVisible()
    await rm(above, { recursive: true, force: true })
  })

  await test.step('stored as the course that it is', async () => {
    await expect(page.getByRole('radio', { name: /The courses that the file describes/ })).toBeChecked()
    await expectGoodPage(page)
    await page.getByRole('button', { name: 'Store 4 questions' }).click()
    await expect(page.getByText('4 added, 0 changed.')).toBeVisible()
  })

  await test.step('exported from the starting page', async () => {
    await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Export' }).click()
    await expect(page.getByText('Choose courses and exams')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search courses' }).fill('kite')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page.getByText('1 course', { exact: true })).toBeVisible()
    await expectGoodPage(page)
    await page.getByRole('checkbox', { name: /Certified Kite Maker/ }).check()
    await expect(page.getByText('The course Certified Kite Maker')).toBeVisible()
    await expect(page.getByText('Nothing is lost.')).toBeVisible()
    await expectGoodPage(page)
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const text = await readFile(await (await downloading).path(), 'utf8')
    expect(JSON.parse(text)).toMatchObject({
      courses: [{ slug: 'kite-maker', price: 24.5 }],
      exams: [{ time_limit: 45 }],
    })
  })

  await test.step('a range of questions is chosen by the keyboard and exported', async () => {
    await page.getByRole('link', { name: 'Back to the course' }).click()
    await page.getByRole('link', { name: 'Paper and glue' }).first().click()
    await page.getByRole('checkbox', { name: 'Choose question 1', exact: true }).press('Space')
    await page.getByRole('checkbox', { name: 'Choose question 3', exact: true }).click({ modifiers: ['Shift'] })
    const bar = page.getByRole('group', { name: 'Chosen questions' })
    await expect(bar.getByText('3 questions chosen')).toBeVisible()
    await expectGoodPage(page)
    await bar.getByRole('button', { name: 'Mark for review' }).click()
    await expect(page.getByText('3 questions marked for review.')).toBeVisible()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('checkbox', { name: 'Choose question 2', exact: true }).check()
    await bar.getByRole('button', { name: 'Move or copy…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move or copy 1 question' })
    await dialog.getByRole('combobox', { name: 'Exam or course' }).click()
    await expect(dialog.getByRole('option', { name: /This exam/ })).toBeVisible()
    await choose(dialog, 'Exam or course', 'practice objects', /Practice Exam 1/)
    await dialog.getByRole('button', { name: 'Copy there' }).click()
    await expect(page.getByText('1 question copied to Practice Exam 1.')).toBeVisible()
    await page.getByRole('checkbox', { name: 'Choose question 2', exact: true }).check()
    await bar.getByRole('link', { name: 'Export' }).click()
    await expect(page.getByText('1 question of Paper and glue')).toBeVisible()
    await expect(page.getByText('Nothing is lost.')).toBeVisible()
  })
})

test('a file that is too large is refused at once, before it is sent', async ({ page }) => {
  await signIn(page)
  await visit(page, `${server.url}/admin/import`)
  const sent: string[] = []
  page.on('request', (request) => request.url().includes('/api/imports') && sent.push(request.url()))
  await page.evaluate(() => {
    const input = document.querySelector<HTMLInputElement>('input[type=file]')!
    const files = new DataTransfer()
    files.items.add(new File([new Uint8Array(60 * 1024 * 1024)], 'large.csv'))
    input.files = files.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await page.getByRole('button', { name: 'Read and judge' }).click()
  await expect(page.getByText('At most 50 MB can be imported at once.')).toBeVisible()
  expect(sent).toEqual([])
})
