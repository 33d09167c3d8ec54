import { createDecipheriv, createECDH, createHmac, randomBytes } from 'node:crypto'

/** A browser's side of RFC 8291: makes the keys of a subscription, and reads what is encrypted for them. */
export function aPushBrowser(from: { readonly privateKey: Buffer; readonly auth: Buffer } | null = null) {
  const ecdh = createECDH('prime256v1')
  if (from === null) ecdh.generateKeys()
  else ecdh.setPrivateKey(from.privateKey)
  const auth = from?.auth ?? randomBytes(16)
  return {
    keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
    /** @throws Error for what is not encrypted for this browser */
    read(body: Buffer): string {
      const [salt, recordSize, idLength] = [body.subarray(0, 16), body.readUInt32BE(16), body[20] ?? 0]
      const theirs = body.subarray(21, 21 + idLength)
      const record = body.subarray(21 + idLength)
      if (idLength !== 65 || record.length > recordSize) throw new Error('The header is not that of RFC 8188')
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), theirs, Buffer.of(1)])
      const secret = hmac(hmac(auth, ecdh.computeSecret(theirs)), info)
      const prk = hmac(salt, secret)
      const key = hmac(prk, Buffer.from('Content-Encoding: aes128gcm\0\x01')).subarray(0, 16)
      const nonce = hmac(prk, Buffer.from('Content-Encoding: nonce\0\x01')).subarray(0, 12)
      const decipher = createDecipheriv('aes-128-gcm', key, nonce)
      decipher.setAuthTag(record.subarray(-16))
      const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
      const end = padded.findLastIndex((byte) => byte !== 0)
      if (padded[end] !== 2) throw new Error('The record is not the last one')
      return padded.subarray(0, end).toString('utf8')
    },
  }
}

/** HKDF in the two steps of RFC 5869, as RFC 8291 writes them out. */
const hmac = (key: Buffer, data: Buffer) => createHmac('sha256', key).update(data).digest()
