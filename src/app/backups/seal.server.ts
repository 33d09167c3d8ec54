import { createCipheriv, createDecipheriv, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/*
 * A sealed file: the magic line, the salt, a check of the passphrase, then chunks under AES-256-GCM. The nonce of a chunk is its
 * number and whether it is the last, and every chunk authenticates the head, so that a chunk that was changed, moved, repeated or
 * left out is refused. The key is derived with a new salt for each file, so no nonce is used twice with one key.
 */
const MAGIC = Buffer.from('altocert-sealed-1\n')
const SALT_BYTES = 16
const KEY_BYTES = 32
const CHECK_BYTES = 32
const TAG_BYTES = 16
const HEAD_BYTES = MAGIC.length + SALT_BYTES + CHECK_BYTES
const CHUNK_BYTES = 64 * 1024
const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES
/** 128 MiB and about half a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

export const MAGIC_BYTES = MAGIC.length

export class WrongPassphrase extends Error {
  constructor() {
    super('The passphrase is not the one with which the file was sealed.')
  }
}

export class SealBroken extends Error {
  constructor() {
    super('The sealed file is truncated or was altered.')
  }
}

export const isSealed = (start: Uint8Array) => MAGIC.equals(start.subarray(0, MAGIC.length))

/** Seals a stream, a chunk at a time. */
export async function* seal(source: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const { key, check } = await derive(passphrase, salt)
  const head = Buffer.concat([MAGIC, salt, check])
  yield head
  for await (const { bytes, number, isLast } of chunks(source, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast)).setAAD(head)
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}

/** Opens a sealed stream, a chunk at a time. @throws WrongPassphrase, SealBroken */
export async function* unseal(source: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Buffer> {
  const { head, rest } = await splitHead(source)
  const salt = head.subarray(MAGIC.length, MAGIC.length + SALT_BYTES)
  const { key, check } = await derive(passphrase, salt)
  if (!timingSafeEqual(check, head.subarray(MAGIC.length + SALT_BYTES))) throw new WrongPassphrase()
  for await (const { bytes, number, isLast } of chunks(rest, SEALED_CHUNK_BYTES))
    yield openChunk({ key, head, bytes, nonce: nonceOf(number, isLast) })
}

function openChunk({ key, head, bytes, nonce }: { key: Buffer; head: Buffer; bytes: Buffer; nonce: Buffer }): Buffer {
  if (bytes.length < TAG_BYTES) throw new SealBroken()
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(head)
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch {
    throw new SealBroken()
  }
}

function derive(passphrase: string, salt: Uint8Array): Promise<{ key: Buffer; check: Buffer }> {
  return new Promise((resolve, reject) => {
    // One form for characters that keyboards compose differently.
    scrypt(passphrase.normalize('NFC'), salt, KEY_BYTES + CHECK_BYTES, COST, (error, derived) => {
      if (error === null) resolve({ key: derived.subarray(0, KEY_BYTES), check: derived.subarray(KEY_BYTES) })
      else reject(error)
    })
  })
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number), 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Cuts a stream into chunks of one size. The last one is not longer, and may be empty. */
async function* chunks(source: AsyncIterable<Uint8Array>, size: number) {
  let held = Buffer.alloc(0)
  let number = 0
  for await (const part of source) {
    held = Buffer.concat([held, part])
    // As long as the buffer is not longer than a chunk, it may be the last one.
    let from = 0
    for (; held.length - from > size; from += size)
      yield { bytes: held.subarray(from, from + size), number: number++, isLast: false }
    held = held.subarray(from)
  }
  yield { bytes: held, number, isLast: true }
}

async function splitHead(source: AsyncIterable<Uint8Array>) {
  const parts = source[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  while (start.length < HEAD_BYTES) {
    const { value, done } = await parts.next()
    if (done === true) throw new SealBroken()
    start = Buffer.concat([start, value])
  }
  async function* rest() {
    yield start.subarray(HEAD_BYTES)
    yield* { [Symbol.asyncIterator]: () => parts }
  }
  return { head: start.subarray(0, HEAD_BYTES), rest: rest() }
}
