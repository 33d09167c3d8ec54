import { expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../../lib/time.ts'
import { deviceName, expiryAfterUse, firstExpiry } from './sessions.ts'

const start = new Date('2026-01-01T00:00:00Z')
const at = (milliseconds: number) => new Date(start.getTime() + milliseconds)

test('a session ends after 7 days without use, and 30 days after its start however it is used', () => {
  expect(firstExpiry(start)).toEqual(at(7 * DAY_MS))
  const used = (lastUsedMs: number, nowMs: number) =>
    expiryAfterUse({ createdAt: start, lastUsedAt: at(lastUsedMs), expiresAt: at(lastUsedMs + 7 * DAY_MS) }, at(nowMs))
  expect(used(0, 4 * MINUTE_MS)).toBeNull()
  expect(used(0, 5 * DAY_MS)).toEqual(at(12 * DAY_MS))
  expect(used(22 * DAY_MS, 28 * DAY_MS)).toEqual(at(30 * DAY_MS))
})

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Safari/604.1',
    'Safari on iPhone',
  ],
  ['Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36 Edg/156.0', 'Edge on Linux'],
  ['curl/8.0', null],
  [null, null],
])('the device of %s', (userAgent, device) => expect(deviceName(userAgent)).toBe(device))
