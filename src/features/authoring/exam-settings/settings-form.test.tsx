// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter, RouterProvider, useLoaderData } from 'react-router'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { DraftView } from '../drafts/drafts.schema.ts'
import { SettingsForm } from './settings-form.tsx'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

beforeEach(() => localStorage.clear())

const draftOf = (title: string, settingsVersion: number): DraftView => ({
  fromVersion: 1,
  settings: { title, timeLimitMinutes: 60, passingScore: 70, scoringPolicy: 'all-or-nothing', isFreeTrial: false },
  settingsVersion,
  version: settingsVersion,
  questionCount: 1,
  updatedAt: '2026-11-29T00:00:00Z',
  updatedBy: 'Ben',
})

/** The form on a page that loads `stored.draft`, with what it sends; `reply` answers each call. */
async function aForm(reply: (body: { settings: { title: string }; version: number }) => [number, object]) {
  const stored = { draft: draftOf('Knots', 3) }
  const sent: { settings: { title: string }; version: number }[] = []
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit) => {
    const call = JSON.parse(String(body)) as (typeof sent)[number]
    sent.push(call)
    const [status, value] = reply(call)
    return Response.json(value, { status })
  })
  const Page = () => <SettingsForm examId="e" adminId="a" draft={useLoaderData<DraftView>()} />
  const open = async () => {
    const router = createMemoryRouter([
      { path: '/', Component: Page, loader: () => stored.draft, HydrateFallback: () => null },
    ])
    const root = createRoot(document.body.appendChild(document.createElement('div')))
    await act(async () => root.render(<RouterProvider router={router} />))
    onTestFinished(() => act(() => root.unmount()))
    return { reload: () => act(() => router.revalidate()), close: () => act(() => root.render(null)) }
  }
  onTestFinished(() => void vi.unstubAllGlobals())
  return { stored, sent, ...(await open()), open }
}

const title = () => document.querySelector('input')
const type = (text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(title(), text)
    title()?.dispatchEvent(new Event('input', { bubbles: true }))
  })
const press = (name: string) =>
  act(async () => [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)?.click())

test('settings that are typed stay when another admin stores others, and saving asks before it replaces them', async () => {
  const theirs = draftOf('Theirs', 4)
  const { stored, sent, reload } = await aForm(({ settings, version }) => {
    if (version !== 4)
      return [409, { error: { code: 'draft.changed-elsewhere', message: '', facts: { stored: theirs } } }]
    stored.draft = draftOf(settings.title, 5)
    return [200, stored.draft]
  })
  await type('Mine')
  stored.draft = theirs
  await reload()
  expect(title()?.value).toBe('Mine')
  await press('Save settings')
  expect(document.body.textContent).toContain('Theirs: 60 minutes')
  await press('Save mine over it')
  expect(sent.map(({ settings, version }) => [settings.title, version])).toEqual([
    ['Mine', 3],
    ['Mine', 4],
  ])
  // Without text of its own the form shows what is stored.
  stored.draft = draftOf('Later', 6)
  await reload()
  expect(title()?.value).toBe('Later')
})

test('settings that were typed and not saved are offered again, and what is stored can be taken instead', async () => {
  const { stored, sent, close, open } = await aForm(({ version }) =>
    version === stored.draft.settingsVersion
      ? [200, stored.draft]
      : [409, { error: { code: 'draft.changed-elsewhere', message: '', facts: { stored: stored.draft } } }],
  )
  await type('Mine')
  await close()
  stored.draft = draftOf('Theirs', 4)
  await open()
  expect(title()?.value).toBe('Theirs')
  expect(document.body.textContent).toContain('The settings have been changed since')
  await press('Take it up again')
  await press('Save settings')
  expect(sent).toMatchObject([{ settings: { title: 'Mine' }, version: 3 }])
  await press('Take what is stored')
  expect(title()?.value).toBe('Theirs')
  expect(document.body.textContent).not.toContain('Take')
})
