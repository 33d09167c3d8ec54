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
