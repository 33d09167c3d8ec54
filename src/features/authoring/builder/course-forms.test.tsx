// @vitest-environment happy-dom
import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { storeUnsavedText, typedKey } from '../../../platform/unsaved-text-client.ts'
import { toFactsTyped } from '../../catalogue/course-facts-form.ts'
import type { CourseFactsView } from '../../catalogue/catalogue.schema.ts'
import { CourseExams } from '../courses/ui/course-exams.tsx'
import { FactsEditor } from '../courses/ui/facts-editor.tsx'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const course: CourseFactsView = {
  id: 'c',
  slug: 'knots',
  title: 'Knots',
  description: 'All of them.',
  imageUrl: '',
  priceCents: 500,
  category: null,
  status: 'draft',
  blueprint: null,
  rowVersion: 3,
  updatedAt: '2026-11-29T00:00:00Z',
}

beforeEach(() => localStorage.clear())

/** A network that notes what is sent, and lets the test reply. */
function aNetwork() {
  const sent: Record<string, unknown>[] = []
  const replies: ((body: object) => void)[] = []
  const send = (_path: string, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)) as Record<string, unknown>)
    return new Promise<Response>((resolve) => replies.push((reply) => resolve(Response.json(reply))))
  }
  vi.stubGlobal('fetch', send)
  onTestFinished(() => void vi.unstubAllGlobals())
  return { sent, reply: (body: object) => act(async () => replies.shift()?.(body)) }
}

async function open(page: ReactNode) {
  const router = createMemoryRouter([{ path: '/', element: page }])
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () => root.render(<RouterProvider router={router} />))
  onTestFinished(() => act(() => root.unmount()))
}

const facts = () => <FactsEditor course={course} adminId="a" now="2026-11-29T00:00:00Z" savesItself={false} />

const press = (name: string, times = 1) =>
  act(async () => {
    const button = [...document.querySelectorAll('button')].findLast(({ textContent }) => textContent?.includes(name))
    for (let time = 0; time < times; time += 1) button?.click()
  })

/** Types into the field of the title. */
const typeTitle = (text: string) =>
  act(async () => {
    const field = [...document.querySelectorAll('input')].find(({ value }) => value.startsWith('Knots'))
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
    field?.dispatchEvent(new Event('input', { bubbles: true }))
  })

test('what is typed while a course is being saved is saved after it, and is no conflict with oneself', async () => {
  const network = aNetwork()
  await open(facts())
  await typeTitle('Knots 1')
  await press('Save course')
  await typeTitle('Knots 12')
  await press('Save course')
  expect(network.sent).toHaveLength(1)
  await network.reply({ id: 'c', row_version: 4 })
  expect(network.sent).toMatchObject([
    { title: 'Knots 1', row_version: 3 },
    { title: 'Knots 12', row_version: 4 },
  ])
})

test('text of an earlier visit, taken up again, does not silently replace what another admin has saved since', async () => {
  const network = aNetwork()
  storeUnsavedText(typedKey('a', 'course.c'), { ...toFactsTyped(course), title: 'Knots of mine' }, 2)
  await open(facts())
  await press('Take it up again')
  await press('Save course')
  expect(network.sent).toMatchObject([{ title: 'Knots of mine', row_version: 2 }])
})

test('an exam whose button is pressed twice is added once', async () => {
  const network = aNetwork()
  await open(<CourseExams courseId="c" exams={[]} />)
  await press('Add an exam')
  await press('Add exam', 2)
  expect(new Set(network.sent.map(({ id }) => id)).size).toBe(1)
  expect(network.sent[0]).toMatchObject({ course_id: 'c', test_name: 'Practice Exam 1' })
})
