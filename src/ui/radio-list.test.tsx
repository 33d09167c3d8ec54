// @vitest-environment happy-dom
import { act, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import { RadioList } from './radio-list.tsx'
import { focusRefusals } from './refused-form-client.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const choices = [
  { value: 'wrong', label: 'It is wrong' },
  { value: 'old', label: 'It is out of date' },
] as const

test('a refused form moves the focus to a group of radio buttons with a problem, which then reads it out', async () => {
  focusRefusals()
  function Form() {
    const [problem, setProblem] = useState<string | null>(null)
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setProblem('Choose what is wrong.')
        }}
      >
        <RadioList legend="Reason" choices={choices} chosen={null} problem={problem} onChoose={() => {}} />
        <button type="submit">Send</button>
      </form>
    )
  }
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  await act(async () => root.render(<Form />))
  onTestFinished(() => act(() => root.unmount()))
  const button = place.querySelector('button')!
  button.focus()
  await act(async () => button.click())
  await expect.poll(() => document.activeElement?.getAttribute('value')).toBe('wrong')
  const group = document.activeElement!.closest('[aria-describedby]')!
  expect(document.getElementById(group.getAttribute('aria-describedby')!)?.textContent).toBe('Choose what is wrong.')
})
