import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export type S3Key = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  readonly region: string
}

const SKEW_MS = 15 * 60 * 1000
const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
const REQUIRED = ['host', 'x-amz-content-sha256', 'x-amz-date']

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

/** The code of the error that refuses the request; null when it is signed as "Authenticating Requests" of the S3 API says. */
export function signatureFault(request: IncomingMessage, body: Buffer, key: S3Key, now: Date): string | null {
  const { headers, url = '', method = '' } = request
  const [, id = '', day = '', region = '', names = '', signature = ''] = FORM.exec(headers.authorization ?? '') ?? []
  if (id === '') return 'AccessDenied'
  if (id !== key.accessKeyId) return 'InvalidAccessKeyId'
  if ((headers['x-amz-security-token'] ?? undefined) !== key.sessionToken) return 'InvalidToken'
  if (region !== key.region) return 'AuthorizationHeaderMalformed'
  const signed = names.split(';')
  const sent = Object.keys(headers).filter((name) => name.startsWith('x-amz-'))
  if ([...REQUIRED, ...sent].some((name) => !signed.includes(name))) return 'AccessDenied'
  const date = String(headers['x-amz-date'])
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(at - now.getTime()) <= SKEW_MS)) return 'RequestTimeTooSkewed'
  if (!date.startsWith(day)) return 'AuthorizationHeaderMalformed'
  const canonical = [
    method,
    encodedPath(url),
    encodedQuery(url),
    ...signed.map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replaceAll(/\s+/g, ' ')}`,
    ),
    '',
    names,
    String(headers['x-amz-content-sha256']),
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const signingKey = hmac(hmac(hmac(hmac(`AWS4${key.secretAccessKey}`, day), region), 's3'), 'aws4_request')
  const expected = hmac(signingKey, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n'))
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return 'SignatureDoesNotMatch'
  return sha256(body) === headers['x-amz-content-sha256'] ? null : 'XAmzContentSHA256Mismatch'
}

/** Percent-encoding of everything but RFC 3986's unreserved characters. */
const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.codePointAt(0)!.toString(16).toUpperCase()}`)

const encodedPath = (url: string) =>
  url
    .split('?')[0]!
    .split('/')
    .map((part) => encoded(decodeURIComponent(part)))
    .join('/')

function encodedQuery(url: string): string {
  const pairs = [...new URLSearchParams(url.split('?')[1] ?? '')]
  return pairs
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&')
}
