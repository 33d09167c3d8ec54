import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { withFormerNames } from '../../lib/former-names.ts'
import { acceptedEncoding } from './accepted-encoding.server.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const MIN_COMPRESSED_BYTES = 1024

/** The bytes of a reply. */
type ReplyBytes = {
  readonly plain: Buffer
  readonly etag: string
  uses: number
  br?: Promise<Buffer>
  gzip?: Promise<Buffer>
}

/**
 * The bytes made from a result, for as long as the result lives. A cached query returns the same object until the catalogue
 * changes, so its reply is written and compressed once; any other result is a new object with each call.
 */
const known = { today: new WeakMap<object, ReplyBytes>(), former: new WeakMap<object, ReplyBytes>() }

/** A reply with a tag of its bytes, so two different replies never share one. `result` must not change afterwards. */
export async function taggedReply(
  result: unknown,
  { request, hasFormerNames, headers }: { request: Request; hasFormerNames: boolean; headers: Record<string, string> },
): Promise<Response> {
  const bytes = bytesOf(result, hasFormerNames)
  const encoding = compressedEncoding(bytes, request)
  const body = encoding === null ? bytes.plain : await compressed(bytes, encoding)
  const sent = {
    ...headers,
    'cache-control': 'private, no-cache',
    vary: 'Accept-Encoding, Cookie',
    // The same tag for two encodings is a weak one.
    etag: encoding === null ? bytes.etag : `W/${bytes.etag}`,
  }
  const tags = request.headers.get('if-none-match')?.split(',') ?? []
  if (tags.some((tag) => tag.trim().replace(/^W\//, '') === bytes.etag))
    return new Response(null, { status: 304, headers: sent })
  return new Response(body as Uint8Array<ArrayBuffer>, {
    headers: {
      ...sent,
      'content-length': String(body.byteLength),
      ...(encoding === null ? {} : { 'content-encoding': encoding }),
    },
  })
}

function bytesOf(result: unknown, hasFormerNames: boolean): ReplyBytes {
  const kept = hasFormerNames ? known.former : known.today
  const before = typeof result === 'object' && result !== null ? kept.get(result) : undefined
  if (before !== undefined) {
    before.uses += 1
    return before
  }
  const plain = Buffer.from(JSON.stringify(hasFormerNames ? withFormerNames(result) : result))
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  const bytes = { plain, etag, uses: 1 }
  if (typeof result === 'object' && result !== null) kept.set(result, bytes)
  return bytes
}

/** Compressing pays off only for bytes that are sent again; the middleware compresses the others. */
function compressedEncoding({ plain, uses }: ReplyBytes, request: Request): 'br' | 'gzip' | null {
  return uses === 1 || plain.byteLength < MIN_COMPRESSED_BYTES
    ? null
    : acceptedEncoding(request.headers.get('accept-encoding'), ['br', 'gzip'])
}

function compressed(bytes: ReplyBytes, encoding: 'br' | 'gzip'): Promise<Buffer> {
  if (encoding === 'gzip') return (bytes.gzip ??= compressGzip(bytes.plain, { level: 7 }))
  return (bytes.br ??= compressBrotli(bytes.plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }))
}
