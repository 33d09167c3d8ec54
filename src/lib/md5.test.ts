import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { md5Hex, portableMd5Hex } from './md5.ts'

const both = [
  ['Node', md5Hex],
  ['browsers', portableMd5Hex],
] as const

test.each(both)('%s: the test vectors of RFC 1321 match', (_where, hash) => {
  expect(hash('')).toBe('d41d8cd98f00b204e9800998ecf8427e')
  expect(hash('message digest')).toBe('f96b697d7cb7938d525a2f31aaf161d0')
  expect(hash('12345678901234567890123456789012345678901234567890123456789012345678901234567890')).toBe(
    '57edf4a22be3c955ac49da2e2107b67a',
  )
})

test.each(both)('%s: texts of every length up to 200 have the same hash as in Node', (_where, hash) => {
  for (let length = 0; length <= 200; length++) {
    const text = 'é'.repeat(length)
    expect(hash(text)).toBe(createHash('md5').update(text).digest('hex'))
  }
})

test.each(both)('%s: any text, also with emoji and lone surrogates, has the same hash as in Node', (_where, hash) => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), loneSurrogates), (text) => {
      expect(hash(text)).toBe(createHash('md5').update(text, 'utf8').digest('hex'))
    }),
  )
})

const loneSurrogates = fc.array(fc.integer({ min: 0xd700, max: 0xe0ff })).map((units) => String.fromCharCode(...units))
