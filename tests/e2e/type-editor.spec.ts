import type { Page } from '@playwright/test'
import { admin } from './shared-users.ts'
import { expect, expectNoAxeViolations, signIn, test, untilHydrated, visit } from './e2e-test.ts'
import { tabTo } from './type-journeys.ts'

/*
 * Each type of question is written in the editor by the keyboard alone, with the preview beside it. The areas of a picture are given by
 * numbers, and drawn with the mouse.
 */

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })

async function type(page: Page, texts: readonly (readonly [label: string, text: string])[]) {
  for (const [label, text] of texts) {
    await tabTo(page, field(page, label))
    await page.keyboard.insertText(text)
  }
}

async function press(page: Page, label: string) {
  await tabTo(page, field(page, label))
  await page.keyboard.press('Space')
}

/** What is written of each type, and what the preview then shows. */
const written: Record<string, { write(page: Page, image: string): Promise<void>; shown: readonly string[] }> = {
  choice: {
    async write(page) {
      await type(page, [
        ['Answer A', 'A steady wind'],
        ['Answer B', 'No wind'],
      ])
      await page.keyboard.press('Alt+Digit1')
      await expect(field(page, 'Answer A is right')).toBeChecked()
    },
    shown: ['A steady wind', 'No wind'],
  },
  ordering: {
    write: (page) =>
      type(page, [
        ['Step 1', 'Unroll the line'],
        ['Step 2', 'Wait for the wind'],
        ['Step 3', 'Let the kite go'],
      ]),
    shown: ['Unroll the line', 'Wait for the wind', 'Let the kite go'],
  },
  matching: {
    async write(page) {
      await type(page, [
        ['Option A', 'a tail'],
        ['Option B', 'a frame'],
        ['Prompt 1', 'Keeps it steady'],
      ])
      await tabTo(page, field(page, 'Option for prompt 1'))
      await page.keyboard.type('A')
      await type(page, [['Prompt 2', 'Keeps it stiff']])
      await tabTo(page, field(page, 'Option for prompt 2'))
      await page.keyboard.type('B')
    },
    shown: ['Right option: A. a tail', 'Right option: B. a frame'],
  },
  'drop-down': {
    async write(page) {
      await type(page, [['Gap 1, choice 1', 'south']])
      await press(page, 'Gap 1, choice 1: Right choice')
      await type(page, [['Gap 1, choice 2', 'north']])
    },
    shown: ['south', 'north'],
  },
  'hot-spot': {
    async write(page, image) {
      await type(page, [
        ['Picture', image],
        ['Width', '400'],
        ['Height', '300'],
        ['Name of area A', 'The tail'],
        ['Numbers of area A', '10, 10, 60, 60'],
      ])
      await press(page, 'Area A is right')
      await type(page, [['Name of area B', 'The frame']])
      await press(page, 'Draw area B on the picture')
      const canvas = await page.getByRole('main').getByRole('img').first().boundingBox()
      if (canvas === null) throw new Error('no picture')
      await page.mouse.move(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2)
      await page.mouse.down()
      await page.mouse.move(canvas.x + canvas.width * 0.75, canvas.y + canvas.height * 0.75, { steps: 4 })
      await page.mouse.up()
      await expect(field(page, 'Numbers of area B')).toHaveValue(
        /^(199|200|201), (149|150|151), (299|300|301), (224|225|226)$/,
      )
    },
    shown: ['The tail', 'The frame'],
  },
  numerical: {
    write: (page) =>
      type(page, [
        ['Right number', '12.5'],
        ['Tolerance', '0.5'],
        ['Unit', 'm/s'],
      ]),
    shown: ['12.5 ± 0.5 m/s'],
  },
  'short-answer': {
    async write(page) {
      await type(page, [['Accepted answer 1', 'a kite']])
      await tabTo(page, page.getByRole('button', { name: 'Add an accepted answer' }))
      await page.keyboard.press('Enter')
      // The new row has the focus.
      await expect(field(page, 'Accepted answer 2')).toBeFocused()
      await page.keyboard.insertText('kite*')
    },
    shown: ['a kite', 'kite*'],
  },
}

test('each type of question is written by the keyboard, seen in the preview and saved in the draft', async ({
  page,
}) => {
  // So high that the bar with the buttons covers nothing of the form.
  await page.setViewportSize({ width: 1440, height: 3000 })
  await signIn(page, admin)
  const headers = { origin: process.env['E2E_URL']! }
  const offline = (await (await page.request.get('/api/offline-exams/aif-question-types')).json()) as {
    questions: { type: string; image?: string }[]
  }
  const image = offline.questions.find((question) => question.image !== undefined)?.image ?? ''
  const { examId } = (await (await page.request.get('/api/offline-exams/aif-practice-exam-2')).json()) as {
    examId: string
  }
  await page.request.post(`/api/exams/${examId}/draft`, { headers })

  const questionCount = async () => {
    const draft = await page.request.get(`/api/exams/${examId}/draft`)
    return ((await draft.json()) as { questionCount: number }).questionCount
  }
  const before = await questionCount()

  for (const [name, { write, shown }] of Object.entries(written))
    await test.step(name, async () => {
      await visit(page, `/admin/exams/${examId}/new-question`)
      await untilHydrated(page)
      await field(page, 'Type of question').selectOption(name)
      // The form of a type loads when it is chosen.
      await expect(field(page, 'Question')).toBeEnabled()
      await field(page, 'Question').focus()
      await page.keyboard.insertText(
        `What about kites of the kind ${name}?${name === 'drop-down' ? ' It flies to the [[1]].' : ''}`,
      )
      await write(page, image)
      await type(page, [['Explanation', 'Kites need wind.']])
      for (const text of shown) await expect(preview(page).getByText(text, { exact: true }).first()).toBeVisible()
      await expectNoAxeViolations(page)
      await page.keyboard.press('Control+s')
      await expect(page.getByText('Saved in the draft').first()).toBeVisible()
    })

  expect(await questionCount()).toBe(before + Object.keys(written).length)
  await page.request.delete(`/api/exams/${examId}/draft`, { headers })
})
