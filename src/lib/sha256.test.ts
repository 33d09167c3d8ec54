import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256Hex, portableSha256Hex } from './sha256.ts'

const both = [
  ['Node', sha256Hex],
  ['browsers', portableSha256Hex],
] as const

test.each(both)('%s: the test vectors of FIPS 180-4 match', (_where, hash) => {
  expect(hash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(hash('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(hash('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')).toBe(
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  )
  expect(
    hash(
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
    ),
  ).toBe('cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1')
  expect(hash('a'.repeat(1_000_000))).toBe('cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0')
})

test.each(both)('%s: texts of every length up to 200 have the same hash as in Node', (_where, hash) => {
  for (let length = 0; length <= 200; length++) {
    const text = 'x'.repeat(length)
    expect(hash(text)).toBe(createHash('sha256').update(text).digest('hex'))
  }
})

test.each(both)('%s: any text, also with emoji and lone surrogates, has the same hash as in Node', (_where, hash) => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), loneSurrogates), (text) => {
      expect(hash(text)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'))
    }),
  )
})

const loneSurrogates = fc.array(fc.integer({ min: 0xd700, max: 0xe0ff })).map((units) => String.fromCharCode(...units))
