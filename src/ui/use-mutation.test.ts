// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, onTestFinished, test, vi } from 'vitest'
import { useMutation, type Mutation } from './use-mutation.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

/** A call whose reply the test gives, and a record of the steps in their order. */
function aCall() {
  const steps: string[] = []
  const replies: Settle[] = []
  const send = vi.fn<(name: string) => Promise<string>>((name) => {
    steps.push(`send ${name}`)
    return new Promise<string>((resolve, reject) => replies.push({ resolve, reject }))
  })
  const settle = (end: (reply: Settle) => void) => act(async () => end(replies.shift()!))
  return {
    steps,
    send,
    succeed: (result: string) => settle(({ resolve }) => resolve(result)),
    failWith: (error: unknown) => settle(({ reject }) => reject(error)),
  }
}
type Settle = {
  readonly resolve: (result: string) => void
  readonly reject: (error: unknown) => void
}

/** Renders a button that runs the mutation, on a page whose loader notes when it runs. */
async function render(call: ReturnType<typeof aCall>, options: Parameters<typeof useMutation<[string], string>>[1]) {
  const renders: Mutation<[string]>[] = []
  function Form() {
    const mutation = useMutation(call.send, options)
    renders.push(mutation)
    return createElement('button', { ...mutation.button, onClick: () => mutation.run('a') }, 'Save')
  }
  const loader = () => {
    call.steps.push('load')
    return null
  }
  const router = createMemoryRouter([{ path: '/', Component: Form, loader, HydrateFallback: () => null }])
  const page = document.body.appendChild(document.createElement('div'))
  const root = createRoot(page)
  onTestFinished(() => act(() => root.unmount()))
  await act(async () => root.render(createElement(RouterProvider, { router })))
  call.steps.length = 0
  return {
    button: page.querySelector('button')!,
    mutation: () => renders.at(-1)!,
  }
}

test('two presses before the next render send one call, and a third after the reply sends another', async () => {
  const call = aCall()
  const { button } = await render(call, {})
  await act(async () => {
    button.click()
    button.click()
  })
  await act(async () => button.click())
  expect(call.send).toHaveBeenCalledTimes(1)
  await call.succeed('saved')
  await act(async () => button.click())
  expect(call.send).toHaveBeenCalledTimes(2)
})

test('while the call is under way the button says that it is busy and keeps the focus', async () => {
  const call = aCall()
  const { button, mutation } = await render(call, {})
  const state = () => [button.getAttribute('aria-busy'), button.getAttribute('aria-disabled'), mutation().isBusy]
  button.focus()
  expect(state()).toEqual(['false', 'false', false])
  await act(async () => button.click())
  expect(state()).toEqual(['true', 'true', true])
  expect(button.disabled).toBe(false)
  expect(document.activeElement).toBe(button)
  await call.succeed('saved')
  expect(state()).toEqual(['false', 'false', false])
})

test('a failure stays until the next run starts or it is reset', async () => {
  const call = aCall()
  const failures: unknown[] = []
  const onSuccess = vi.fn<() => void>()
  const { mutation } = await render(call, {
    onSuccess,
    onFailure: (error, name) => failures.push([error, name]),
    revalidates: true,
  })
  const error = new Error('refused')
  await act(async () => mutation().run('a'))
  await call.failWith(error)
  expect([mutation().failure, mutation().isBusy]).toEqual([error, false])
  expect(failures).toEqual([[error, 'a']])
  await act(async () => mutation().run('b'))
  expect(mutation().failure).toBeNull()
  await call.failWith(error)
  await act(async () => mutation().reset())
  expect(mutation().failure).toBeNull()
  expect(call.steps).toEqual(['send a', 'send b'])
  expect(onSuccess).not.toHaveBeenCalled()
})

test('after success onSuccess runs with the result, and then the data of the page is loaded again', async () => {
  const call = aCall()
  const onSuccess = async (result: string, name: string) => {
    call.steps.push(`begin ${result} ${name}`)
    await Promise.resolve()
    call.steps.push('end')
  }
  const { mutation } = await render(call, { onSuccess, revalidates: true })
  await act(async () => mutation().run('a'))
  await call.succeed('saved')
  expect(call.steps).toEqual(['send a', 'begin saved a', 'end', 'load'])
})

test('an error in onSuccess is a failure, and the data of the page is not loaded again', async () => {
  const call = aCall()
  const error = new Error('the file did not save')
  const { mutation } = await render(call, { onSuccess: () => Promise.reject(error), revalidates: true })
  await act(async () => mutation().run('a'))
  await call.succeed('saved')
  expect([mutation().failure, mutation().isBusy]).toEqual([error, false])
  expect(call.steps).toEqual(['send a'])
})

test('without revalidates the data of the page is not loaded again', async () => {
  const call = aCall()
  const { mutation } = await render(call, {})
  await act(async () => mutation().run('a'))
  await call.succeed('saved')
  expect(call.steps).toEqual(['send a'])
})
