import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'

type Options = {
  readonly challenge: string
  readonly rp?: { id?: string }
  readonly rpId?: string
  readonly user?: { id: string }
}
type Twist = {
  /** The site on which the browser says that it is. */
  readonly origin?: string
  /** The site for which the authenticator signs. */
  readonly rpId?: string
  readonly isVerified?: boolean
  readonly counter?: number
}

/** An authenticator in software, which answers WebAuthn options as a browser with a security key does. */
export class SoftPasskey {
  readonly id = randomBytes(16)
  counter = 0
  #userHandle = ''
  readonly #origin: string
  readonly #publicKey: KeyObject
  readonly #privateKey: KeyObject

  constructor(origin: string) {
    this.#origin = origin
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#publicKey = pair.publicKey
    this.#privateKey = pair.privateKey
  }

  create(options: Options, twist: Twist = {}) {
    this.#userHandle = options.user?.id ?? ''
    const idLength = Buffer.from([0, this.id.length])
    const credential = Buffer.concat([Buffer.alloc(16), idLength, this.id, coseKey(this.#publicKey)])
    const authData = Buffer.concat([this.#authData(options.rp?.id ?? '', 0x40, twist), credential])
    const attestationObject = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    )
    const clientData = this.#clientData('webauthn.create', options, twist)
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    })
  }

  get(options: Options, twist: Twist = {}) {
    this.counter = twist.counter ?? this.counter + 1
    const authData = this.#authData(options.rpId ?? '', 0, twist)
    const clientData = this.#clientData('webauthn.get', options, twist)
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: createSign('sha256').update(signed).sign(this.#privateKey).toString('base64url'),
      userHandle: this.#userHandle,
    })
  }

  #credential<Response>(response: Response) {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
  }

  #clientData(type: string, { challenge }: Options, { origin = this.#origin }: Twist): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #authData(rpId: string, flags: number, { rpId: signedFor = rpId, isVerified = true }: Twist): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    // User present, and verified by fingerprint or PIN.
    const all = flags | 0x01 | (isVerified ? 0x04 : 0)
    return Buffer.concat([createHash('sha256').update(signedFor).digest(), Buffer.from([all]), counter])
  }
}

function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
}

/** The few types of CBOR that an authenticator needs. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  const entries = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([name, held]) => [cbor(name), cbor(held)])])
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  return size < 256 ? Buffer.from([(major << 5) | 24, size]) : Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}
