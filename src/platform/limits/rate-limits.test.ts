import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/time.ts'
import { describeLimit, networkOf, readLimits, waitInWords } from './rate-limits.ts'

test('LIMITS changes the limits that it names', () => {
  const { numbers, problems } = readLimits(' checkout=20, search=120,network=10 ')
  expect(problems).toEqual([])
  expect(numbers).toMatchObject({ checkout: 20, search: 120, network: 10, export: 5, stream: 6 })
  expect(readLimits('').numbers).toMatchObject({
    checkout: 10,
    coupon: 10,
    search: 60,
    export: 5,
    import: 20,
    report: 30,
  })
  expect(readLimits('').numbers).toMatchObject({ stream: 6, network: 50, mail: 5 })
})

test.each([
  'chekout=20',
  'checkout',
  'checkout=',
  'checkout=0',
  'checkout=-1',
  'checkout=1.5',
  'checkout=1e3',
  'checkout=ten',
  'checkout=1=2',
  '__proto__=3',
  'search=1000001',
])('LIMITS=%s is a problem in words', (text) => {
  const { problems } = readLimits(text)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/is not a limit; known are checkout|a whole number from 1 to 1000000/)
})

test('a limit and a wait are said in words', () => {
  const { numbers } = readLimits('')
  expect(describeLimit('checkout', numbers)).toBe('At most 10 per user and minute, 500 per network address.')
  expect(describeLimit('account', numbers)).toBe('At most 300 per network address and 5 minutes.')
  expect(waitInWords(1)).toBe('1 second')
  expect(waitInWords(42.1 * SECOND_MS)).toBe('43 seconds')
  expect(waitInWords(60 * SECOND_MS)).toBe('1 minute')
  expect(waitInWords(3.2 * MINUTE_MS)).toBe('4 minutes')
  expect(waitInWords(60 * MINUTE_MS)).toBe('1 hour')
  expect(waitInWords(20.5 * HOUR_MS)).toBe('21 hours')
  expect(waitInWords(24 * HOUR_MS)).toBe('1 day')
})

test('all addresses of an IPv6 network of 64 bits count together', () => {
  expect(networkOf('10.1.2.3')).toBe('10.1.2.3')
  expect(networkOf('2001:db8:0:1::5')).toBe('2001:db8:0:1')
  expect(networkOf('2001:0DB8:0000:0001:aaaa:bbbb:cccc:dddd')).toBe('2001:db8:0:1')
  expect(networkOf('2001:db8:0:2::5')).toBe('2001:db8:0:2')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0')
  expect(networkOf('::1')).toBe('0:0:0:0')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0')
  expect(networkOf('unknown')).toBe('unknown')
})
