import { expect, test } from 'vitest'
import { networkAddress, trustedProxies } from './network-address.server.ts'

test('X-Forwarded-For counts only when the socket belongs to a trusted proxy', () => {
  expect(networkAddress('203.0.113.9', '198.51.100.1', null)).toBe('203.0.113.9')
  const trusted = trustedProxies(['10.0.0.0/8'])
  expect(networkAddress('203.0.113.9', '198.51.100.1', trusted)).toBe('203.0.113.9')
  expect(networkAddress('::ffff:10.1.2.3', '198.51.100.1', trusted)).toBe('198.51.100.1')
  expect(networkAddress('10.1.2.3', '1.1.1.1, 198.51.100.1, 10.9.9.9', trusted)).toBe('198.51.100.1')
  expect(networkAddress('10.1.2.3', 'nonsense', trusted)).toBe('10.1.2.3')
})

test('a hop with a port is read, so that the value that an attacker put to its left is not taken', () => {
  const trusted = trustedProxies(['10.0.0.0/8', '2001:db8:ffff::/48'])
  const from = (forwarded: string) => networkAddress('10.1.2.3', forwarded, trusted)
  const forged = '192.0.2.66'
  expect(from(`${forged}, 198.51.100.1:4711`)).toBe('198.51.100.1')
  expect(from(`${forged}, [2001:db8::1]:443`)).toBe('2001:db8::1')
  expect(from(`${forged}, [2001:db8::1]`)).toBe('2001:db8::1')
  expect(from(`${forged}, 2001:db8::1`)).toBe('2001:db8::1')
  expect(from(`${forged}, ::FFFF:198.51.100.1`)).toBe('198.51.100.1')
  expect(from(`${forged}, 198.51.100.1:4711, 10.9.9.9:80`)).toBe('198.51.100.1')
  expect(from(`198.51.100.1, [2001:db8:ffff::7]:443`)).toBe('198.51.100.1')
})

test('a hop that is no address ends the search at the last trusted proxy', () => {
  const trusted = trustedProxies(['10.0.0.0/8'])
  const broken = [
    'unknown',
    '_hidden',
    '',
    '1.2.3',
    '1.2.3.4:port',
    '1.2.3.4:123456',
    '[1.2.3.4',
    'fe80::1%eth0',
    '[::1]x',
  ]
  for (const hop of broken) {
    expect([hop, networkAddress('10.1.2.3', `192.0.2.66, ${hop}`, trusted)]).toEqual([hop, '10.1.2.3'])
    expect([hop, networkAddress('10.1.2.3', `192.0.2.66, ${hop}, 10.9.9.9`, trusted)]).toEqual([hop, '10.9.9.9'])
  }
  expect(networkAddress('10.1.2.3', 'for=192.0.2.66', trusted)).toBe('10.1.2.3')
})

test.each(['10.0.0.0/', '10.0.0.0/x', '10.0.0.0/33', '10.0.0.0/8/9', '10.0.0.0/-1', '2001:db8::/129', 'proxy'])(
  'a network that cannot be read is refused, and never taken for all addresses: %s',
  (entry) => {
    expect(() => trustedProxies([entry])).toThrow(`TRUSTED_PROXIES: ${entry} is not an address or a network`)
  },
)
