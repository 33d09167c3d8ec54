import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AdaptiveCache, lifeMs } from './adaptive-cache.ts'

const rule = {
  entries: 100,
  hotAbove: 10,
  hotFactor: 2,
  coldBelow: 2,
  coldFactor: 0.5,
  sweepEveryMs: 300_000,
  sweepAbove: 80,
  sweepPercent: 20,
}
function aCache() {
  let time = 0
  const cache = new AdaptiveCache<string>({ ...rule, now: () => time })
  return { cache, forward: (ms: number) => void (time += ms) }
}

test('a lifetime doubles above ten accesses and halves below two', () => {
  expect([0, 1, 2, 10, 11].map((accesses) => lifeMs(1000, accesses, rule))).toEqual([500, 500, 1000, 1000, 2000])
})

test('an entry that is hardly used lives half its time, a popular one twice', () => {
  const { cache, forward } = aCache()
  for (const key of ['cold', 'warm', 'hot']) cache.set(key, key, 1000)
  cache.get('warm')
  for (let time = 0; time < 11; time += 1) cache.get('hot')
  forward(500)
  expect(cache.get('cold')).toBeUndefined()
  expect(cache.get('warm')).toBe('warm')
  forward(500)
  expect(cache.get('warm')).toBeUndefined()
  expect(cache.get('hot')).toBe('hot')
  forward(999)
  expect(cache.get('hot')).toBe('hot')
  forward(1)
  expect(cache.get('hot')).toBeUndefined()
  expect(cache.size).toBe(0)
})

test('every five minutes, above 80 entries, the least used fifth is removed', () => {
  const { cache, forward } = aCache()
  for (let number = 0; number < 90; number += 1) cache.set(`k${number}`, 'x', 10_000_000)
  for (let number = 18; number < 90; number += 1) cache.get(`k${number}`)
  forward(299_999)
  cache.get('k89')
  expect(cache.size).toBe(90)
  forward(1)
  cache.get('k89')
  expect(cache.size).toBe(72)
  expect(cache.get('k17')).toBeUndefined()
  expect(cache.get('k18')).toBe('x')
  forward(300_000)
  cache.get('k89')
  expect(cache.size).toBe(72)
})

test('beyond the limit, the least recently used entry is removed', () => {
  const { cache } = aCache()
  for (let number = 0; number < 100; number += 1) cache.set(`k${number}`, 'x', 1000)
  cache.get('k0')
  cache.set('one more', 'x', 1000)
  expect(cache.size).toBe(100)
  expect(cache.get('k0')).toBe('x')
  expect(cache.get('k1')).toBeUndefined()
})

test('after any sequence of calls, the cache respects its limit and returns only the newest value, never an expired one', () => {
  const key = fc.integer({ min: 0, max: 130 }).map(String)
  const step = fc.oneof(
    fc.record({
      does: fc.constant('set' as const),
      key,
      value: fc.string(),
      ttlMs: fc.integer({ min: 1, max: 900_000 }),
    }),
    fc.record({ does: fc.constant('get' as const), key }),
    fc.record({ does: fc.constant('forward' as const), ms: fc.integer({ min: 0, max: 400_000 }) }),
    fc.record({ does: fc.constant('clear' as const) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      let time = 0
      const cache = new AdaptiveCache<string>({ ...rule, now: () => time })
      const model = new Map<string, { value: string; ttlMs: number; at: number }>()
      const wrong: string[] = []
      for (const call of steps) {
        if (call.does === 'forward') time += call.ms
        if (call.does === 'set') {
          cache.set(call.key, call.value, call.ttlMs)
          model.set(call.key, { value: call.value, ttlMs: call.ttlMs, at: time })
        }
        if (call.does === 'clear') {
          cache.clear()
          model.clear()
        }
        if (call.does === 'get') {
          const got = cache.get(call.key)
          const known = model.get(call.key)
          // The cache may drop entries early, but never returns an old or expired value.
          const isRight = got === undefined || (got === known?.value && time - known.at < known.ttlMs * 2)
          if (!isRight) wrong.push(call.key)
        }
        expect(cache.size).toBeLessThanOrEqual(100)
      }
      expect(wrong).toEqual([])
    }),
  )
})
