import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { seal, SealBroken, unseal } from './seal.server.ts'

const PASSPHRASE = 'four words in a row'
const CHUNK = 64 * 1024
const HEAD = 66

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}
const inParts = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size)),
  )

test('what was sealed opens to the same bytes, whatever its length and however it arrives', async () => {
  for (const length of [0, CHUNK, CHUNK + 1]) {
    const bytes = Buffer.alloc(length, `${length} bytes `)
    const sealed = await bytesOf(seal(inParts(bytes, 10_000), PASSPHRASE))
    expect((await bytesOf(unseal(inParts(sealed, 7001), PASSPHRASE))).equals(bytes)).toBe(true)
  }
})

test('chunks that were left out, repeated or exchanged are refused', async () => {
  const sealed = await bytesOf(seal(inParts(Buffer.alloc(3 * CHUNK + 5, 'text'), CHUNK), PASSPHRASE))
  const size = CHUNK + 16
  const chunk = (at: number) => sealed.subarray(HEAD + at * size, HEAD + (at + 1) * size)
  const head = sealed.subarray(0, HEAD)
  const orders = [[0, 1, 2], [0, 1, 3], [1, 0, 2, 3], [0, 0, 1, 2, 3], [0, 1, 2, 3, 3], []]
  for (const order of orders) {
    const changed = Buffer.concat([head, ...order.map(chunk)])
    await expect(bytesOf(unseal(inParts(changed, size), PASSPHRASE))).rejects.toThrow(SealBroken)
  }
  const same = Buffer.concat([head, ...[0, 1, 2, 3].map(chunk)])
  expect((await bytesOf(unseal(inParts(same, size), PASSPHRASE))).length).toBe(3 * CHUNK + 5)
})
