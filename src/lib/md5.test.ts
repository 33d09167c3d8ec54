import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { md5Hex } from './md5.ts'

test('the test vectors of RFC 1321 match', () => {
  expect(md5Hex('')).toBe('d41d8cd98f00b204e9800998ecf8427e')
  expect(md5Hex('message digest')).toBe('f96b697d7cb7938d525a2f31aaf161d0')
  expect(md5Hex('12345678901234567890123456789012345678901234567890123456789012345678901234567890')).toBe(
    '57edf4a22be3c955ac49da2e2107b67a',
  )
})

test('texts of every length up to 200 have the same hash as in Node', () => {
  for (let length = 0; length <= 200; length++) {
    const text = 'é'.repeat(length)
    expect(md5Hex(text)).toBe(createHash('md5').update(text).digest('hex'))
  }
})

test('any text, also with emoji and lone surrogates, has the same hash as in Node', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), loneSurrogates), (text) => {
      expect(md5Hex(text)).toBe(createHash('md5').update(text, 'utf8').digest('hex'))
    }),
  )
})

const loneSurrogates = fc.array(fc.integer({ min: 0xd700, max: 0xe0ff })).map((units) => String.fromCharCode(...units))
