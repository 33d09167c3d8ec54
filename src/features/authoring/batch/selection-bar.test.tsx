import { renderToString } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { SelectionBar } from './ui/selection-bar.tsx'

const nothing = () => undefined
const changes = { moveChosen: nothing, send: nothing, mark: nothing, remove: nothing }

/** The address of the export of `count` questions of an exam with 1,000. */
function exportOf(count: number): string | undefined {
  const ids = Array.from({ length: count }, () => `q-${crypto.randomUUID()}`)
  const common = { examId: 'e', hasDraft: true, isReviewed: false, isBusy: false, changes }
  const Stub = createRoutesStub([{ path: '/', Component: () => <SelectionBar ids={ids} total={1000} {...common} /> }])
  return /href="([^"]*)"/.exec(renderToString(<Stub initialEntries={['/']} />))?.[1]
}

test('an export of chosen questions has an address that a proxy accepts, however many are chosen', () => {
  expect(exportOf(100)).toContain('questions=q-')
  for (const count of [100, 147, 200, 999]) expect((exportOf(count) ?? '').length).toBeLessThan(6500)
  expect(exportOf(1000)?.replaceAll('&amp;', '&')).toBe('/admin/export?exam=e&version=draft')
})
