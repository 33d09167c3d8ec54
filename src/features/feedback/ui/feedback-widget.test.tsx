// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FEEDBACK_DELAY_MS } from '../feedback.ts'
import type { SendFeedback } from '../feedback.schema.ts'
import { FeedbackWidget } from './feedback-widget.tsx'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

/** The open panel beside a field of the page, and the replies to what it sends. */
async function anOpenPanel() {
  const sent: SendFeedback[] = []
  const replies: { resolve: (value: unknown) => void; reject: (error: unknown) => void }[] = []
  const onSend = (feedback: SendFeedback) => {
    sent.push(feedback)
    return new Promise((resolve, reject) => replies.push({ resolve, reject }))
  }
  document.body.innerHTML = '<input id="note"><div id="place"></div>'
  const root = createRoot(document.getElementById('place')!)
  const router = createMemoryRouter([{ path: '/', element: <FeedbackWidget onSend={onSend} /> }])
  await act(async () => root.render(<RouterProvider router={router} />))
  const toggle = document.querySelector<HTMLButtonElement>('aside > button')!
  await act(async () => {
    toggle.click()
    await vi.dynamicImportSettled()
  })
  vi.useFakeTimers()
  onTestFinished(async () => {
    vi.useRealTimers()
    await act(async () => root.unmount())
  })
  const text = document.querySelector('textarea')!
  return {
    sent,
    toggle,
    text,
    write: (message: string) =>
      act(async () => {
        Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!.set!.call(text, message)
        text.dispatchEvent(new Event('input', { bubbles: true }))
      }),
    send: () =>
      act(async () => {
        document.querySelector('form')!.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
        await vi.advanceTimersByTimeAsync(FEEDBACK_DELAY_MS)
      }),
    succeed: () => act(async () => replies.shift()!.resolve(null)),
    lose: () => act(async () => replies.shift()!.reject(new Error('No connection'))),
  }
}

const focused = () => document.activeElement

test('feedback that arrives while its writer is elsewhere on the page leaves the focus there', async () => {
  const panel = await anOpenPanel()
  await panel.write('The timer is hard to read.')
  await panel.send()
  const note = document.getElementById('note')!
  await act(async () => note.focus())
  await panel.succeed()
  expect(focused()).toBe(note)
})

test('the focus goes from the panel to its button when the feedback has arrived', async () => {
  const panel = await anOpenPanel()
  await panel.write('The timer is hard to read.')
  await panel.send()
  expect(focused()).toBe(panel.text)
  await panel.succeed()
  expect(focused()).toBe(panel.toggle)
})

test('what is sent again after a failure is one message, and another text is another message', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => warn.mockRestore())
  const panel = await anOpenPanel()
  for (const message of ['The timer is hard to read.', 'The timer is hard to read.', 'The timer is too small.']) {
    await panel.write(message)
    await panel.send()
    await panel.lose()
  }
  const [first, again, other] = panel.sent.map(({ id }) => id)
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})

test('what is written while a message is under way stays, and the panel with it', async () => {
  const panel = await anOpenPanel()
  await panel.write('The timer is hard to read.')
  await panel.send()
  await panel.write('The timer is hard to read. The score too.')
  await panel.succeed()
  expect([panel.text.value, panel.toggle.getAttribute('aria-expanded')]).toEqual([
    'The timer is hard to read. The score too.',
    'true',
  ])
})
