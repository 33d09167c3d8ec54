import { createCipheriv, createECDH, createPrivateKey, ECDH, hkdfSync, randomBytes, sign } from 'node:crypto'
import { HOUR_MS } from '../../../lib/time.ts'

const CURVE = 'prime256v1'
/** The order of the curve P-256. */
const ORDER = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')
const RECORD_BYTES = 4096
/** Less than the day that RFC 8292 allows, as clocks differ. */
const TOKEN_MS = 12 * HOUR_MS

/** The keys of a browser's subscription, in base64url. */
export type DeviceKeys = { readonly p256dh: string; readonly auth: string }
/** The shop as a sender: the keys and its contact, for the operator of a push service. */
export type Sender = { readonly privateKey: Buffer; readonly publicKey: string; readonly subject: string }

const bytesOf = (text: string) => Buffer.from(text, 'base64url')
const hkdf = (key: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length))

/** Whether the key is a point of the curve; with another the message could not be encrypted. */
export function isDeviceKey(p256dh: string): boolean {
  try {
    return ECDH.convertKey(bytesOf(p256dh), CURVE).length === 65
  } catch {
    return false
  }
}

/** Encrypts a message for one browser as RFC 8291 says, in one record of RFC 8188. Only tests choose the salt and the key. */
export function encryptMessage(
  text: string,
  { p256dh, auth }: DeviceKeys,
  { salt, privateKey }: { readonly salt?: Buffer; readonly privateKey?: Buffer } = {},
): Buffer {
  const ecdh = createECDH(CURVE)
  if (privateKey === undefined) ecdh.generateKeys()
  else ecdh.setPrivateKey(privateKey)
  const [ours, theirs] = [ecdh.getPublicKey(), bytesOf(p256dh)]
  const usedSalt = salt ?? randomBytes(16)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours])
  const input = hkdf(ecdh.computeSecret(theirs), bytesOf(auth), info, 32)
  const key = hkdf(input, usedSalt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = hkdf(input, usedSalt, 'Content-Encoding: nonce\0', 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // The 2 says that this record is the last one.
  const record = Buffer.concat([cipher.update(text), cipher.update(Buffer.of(2)), cipher.final(), cipher.getAuthTag()])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_BYTES)
  return Buffer.concat([usedSalt, size, Buffer.of(ours.length), ours, record])
}

/**
 * The shop's key pair: the private key of the environment, or one made of the secret of the installation, so that all its processes
 * and its backups have the same.
 */
export function senderOf(from: {
  readonly privateKey: string | undefined
  readonly secret: string
  readonly subject: string
}): Sender {
  const privateKey = from.privateKey === undefined ? keyOf(from.secret) : bytesOf(from.privateKey)
  const ecdh = createECDH(CURVE)
  ecdh.setPrivateKey(privateKey)
  return { privateKey, publicKey: ecdh.getPublicKey('base64url'), subject: from.subject }
}

/** FIPS 186-5, A.2.1: sixteen bytes more than needed, so that the remainder favours no key. */
function keyOf(secret: string): Buffer {
  const bytes = hkdf(Buffer.from(secret), Buffer.alloc(0), 'altocert web push', 48)
  const scalar = (BigInt(`0x${bytes.toString('hex')}`) % (ORDER - 1n)) + 1n
  return Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
}

/** Proves to a push service who sends (RFC 8292). */
export function vapidHeader(endpoint: string, { privateKey, publicKey, subject }: Sender, now: Date): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor((now.getTime() + TOKEN_MS) / 1000)
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud: new URL(endpoint).origin, exp, sub: subject })}`
  const point = bytesOf(publicKey)
  const [x, y, d] = [point.subarray(1, 33), point.subarray(33), privateKey].map((bytes) => bytes.toString('base64url'))
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x!, y: y!, d: d! } })
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  return `vapid t=${signed}.${signature}, k=${publicKey}`
}
