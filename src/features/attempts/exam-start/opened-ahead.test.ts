import { expect, test } from 'vitest'
import { createOpenedAhead } from './opened-ahead.ts'

const practice = { exam: { slug: 'storage' }, mode: 'practice' as const }

/** Counts how often an exam is opened. */
function aCounter() {
  let count = 0
  return { begin: () => Promise.resolve(`opened ${(count += 1)}`), count: () => count }
}

test('an exam opened ahead stays for a loader that starts again, and is opened once however often Start is pressed', async () => {
  const ahead = createOpenedAhead<typeof practice, string>()
  const counter = aCounter()
  ahead.open(practice, counter.begin)
  ahead.open(practice, counter.begin)
  const first = ahead.find('storage', 'practice')
  expect(first?.known).toBe(practice)
  expect(await first?.opening).toBe('opened 1')
  expect(ahead.find('Storage', 'practice')).toBe(first)
  expect(counter.count()).toBe(1)
})

test('it is used for no later start: not after its navigation, and not after the page of another exam or mode was asked for', () => {
  const ahead = createOpenedAhead<typeof practice, string>()
  const counter = aCounter()
  ahead.open(practice, counter.begin)
  ahead.forget()
  expect(ahead.find('storage', 'practice')).toBeNull()
  for (const [slug, mode] of [
    ['networks', 'practice'],
    ['storage', 'preview'],
    ['storage', undefined],
  ] as const) {
    ahead.open(practice, counter.begin)
    expect(ahead.find(slug, mode)).toBeNull()
    expect(ahead.find('storage', 'practice')).toBeNull()
  }
  expect(counter.count()).toBe(4)
})

test('what failed is asked for again, and a failure that comes late does not end a newer start', async () => {
  const ahead = createOpenedAhead<typeof practice, string>()
  const counter = aCounter()
  ahead.open(practice, () => Promise.resolve(null))
  await ahead.find('storage', 'practice')?.opening
  expect(ahead.find('storage', 'practice')).toBeNull()

  let fail: (nothing: null) => void = () => undefined
  const late = new Promise<string | null>((resolve) => (fail = resolve))
  ahead.open(practice, () => late)
  ahead.forget()
  ahead.open(practice, counter.begin)
  fail(null)
  await late
  expect(await ahead.find('storage', 'practice')?.opening).toBe('opened 1')
})
