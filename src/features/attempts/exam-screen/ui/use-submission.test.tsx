// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import type { AnswerSaving } from '../../saving/answer-queue-client.ts'
import { useSubmission, useSubmitWhenTimeIsUp } from './use-submission.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
afterEach(() => vi.useRealTimers())

/** An exam whose time is up, with the replies to its submissions. */
async function anExamThatIsOver() {
  const replies: { resolve: (value: never) => void; reject: (error: unknown) => void }[] = []
  const finish = vi.fn<() => Promise<never>>(() => new Promise((resolve, reject) => replies.push({ resolve, reject })))
  const onFinished = vi.fn<() => void>()
  const saving = { finish } as unknown as AnswerSaving
  function Exam() {
    const { submit } = useSubmission(saving, onFinished)
    useSubmitWhenTimeIsUp(true, submit)
    return null
  }
  const root = createRoot(document.createElement('div'))
  await act(async () => root.render(<Exam />))
  return {
    finish,
    onFinished,
    leave: () => act(async () => root.unmount()),
    accept: () => act(async () => replies.shift()?.resolve(undefined as never)),
    lose: () => act(async () => replies.shift()?.reject(new Error('No connection'))),
  }
}

test('an exam that is over is submitted until the server has it, and then leads to the result', async () => {
  vi.useFakeTimers()
  const exam = await anExamThatIsOver()
  await exam.lose()
  await act(() => vi.advanceTimersByTimeAsync(3000))
  expect(exam.finish).toHaveBeenCalledTimes(2)
  await exam.accept()
  expect(exam.onFinished).toHaveBeenCalledTimes(1)
  await exam.leave()
})

test('a learner who has left an exam stays where they are, whatever becomes of its submission', async () => {
  vi.useFakeTimers()
  const taken = await anExamThatIsOver()
  await taken.leave()
  await taken.accept()
  expect(taken.onFinished).not.toHaveBeenCalled()
  const lost = await anExamThatIsOver()
  await lost.leave()
  await lost.lose()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(lost.finish).toHaveBeenCalledTimes(1)
})
