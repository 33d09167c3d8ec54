import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signatureFault, type S3Key } from './s3-signature.server.ts'

/** The least size of a part that is not the last. */
const LEAST_PART = 5 * 1024 * 1024
const MOST_LISTED = 1000

type Upload = { readonly key: string; readonly startedAt: Date; readonly parts: Map<number, Buffer> }

/**
 * What goes wrong: an answer of the service, silence, a connection that is cut before the request is worked on, after it, or in the
 * middle of the answer's body, an error after the head of a good answer, a good answer that comes later, or a body that is read slowly.
 */
export type S3Fault =
  | { readonly status: number; readonly code: string }
  | { readonly until: Promise<unknown> }
  | { readonly read: (body: AsyncIterable<Buffer>) => AsyncIterable<Buffer> }
  | 'silence'
  | 'cut before'
  | 'cut after'
  | 'cut body'
  | 'late error'

/** The operations of the API that it knows. */
export type S3Operation =
  | 'ListObjectsV2'
  | 'ListMultipartUploads'
  | 'GetObject'
  | 'HeadObject'
  | 'PutObject'
  | 'DeleteObject'
  | 'CreateMultipartUpload'
  | 'UploadPart'
  | 'CompleteMultipartUpload'
  | 'AbortMultipartUpload'

type Call = {
  readonly operation: S3Operation
  readonly key: string
  readonly query: URLSearchParams
  readonly body: Buffer
  readonly headers: IncomingMessage['headers']
}
type Answer = {
  readonly status: number
  readonly body?: string | Buffer
  readonly headers?: Record<string, string | number>
}

class Refused extends Error {
  readonly status: number
  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

/** Starts a service with one bucket on loopback. */
export async function startS3(options: S3Key & { readonly bucket: string }) {
  const bucket = new Bucket()
  const planned: { operation: S3Operation; fault: S3Fault }[] = []
  const operations: S3Operation[] = []
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  const settings = { ...options, region: options.region }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '', 'http://bucket')
    const [, name = '', ...rest] = decodeURIComponent(url.pathname).split('/')
    const target = { query: url.searchParams, headers: request.headers, key: rest.join('/') }
    const operation = operationOf(request.method ?? '', target)
    const at = planned.findIndex((one) => one.operation === operation)
    const fault = at === -1 ? null : planned.splice(at, 1)[0]!.fault
    const isSlow = fault !== null && typeof fault === 'object' && 'read' in fault
    const body = await bodyOf(isSlow ? fault.read(request) : request)
    const call = { ...target, body }
    if (operation !== null) operations.push(operation)
    if (fault === 'silence') return
    if (fault !== null && typeof fault === 'object' && 'until' in fault) await fault.until
    if (fault === 'cut before') return void response.destroy()
    const answer = answerTo()
    if (fault === 'cut after') return void response.destroy()
    send(response, request.method === 'HEAD' ? { ...answer, body: '' } : answer, fault === 'cut body')

    function answerTo(): Answer {
      try {
        const code = signatureFault(request, body, settings, new Date())
        if (code !== null) throw new Refused(code.startsWith('XAmz') || code.endsWith('Malformed') ? 400 : 403, code)
        if (body.length > 0 && request.headers['content-length'] === undefined)
          throw new Refused(411, 'MissingContentLength')
        if (name !== options.bucket) throw new Refused(404, 'NoSuchBucket')
        if (fault !== null && typeof fault === 'object' && 'code' in fault) throw new Refused(fault.status, fault.code)
        if (operation === null) throw new Refused(501, 'NotImplemented')
        if (fault === 'late error') return { status: 200, body: `<Error><Code>InternalError</Code></Error>` }
        return bucket[operation]({ operation, ...call })
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        return { status: error.status, body: `<Error><Code>${error.message}</Code><Message>No.</Message></Error>` }
      }
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket,
    /** What was asked for, in its order. */
    operations,
    /** The next requests for this operation fail so, one after the other. */
    failNext: (operation: S3Operation, ...faults: S3Fault[]) =>
      void planned.push(...faults.map((fault) => ({ operation, fault }))),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function send(response: ServerResponse, { status, body = '', headers = {} }: Answer, isCut: boolean) {
  const bytes = Buffer.from(body as string)
  response.writeHead(status, { 'content-length': bytes.length, 'content-type': 'application/xml', ...headers })
  if (!isCut) return void response.end(bytes)
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy())
}

function operationOf(method: string, { key, query }: Pick<Call, 'key' | 'query'>): S3Operation | null {
  const isPart = query.has('uploadId')
  const names: Readonly<Record<string, S3Operation | undefined>> =
    key === ''
      ? {
          GET: query.has('uploads')
            ? 'ListMultipartUploads'
            : query.get('list-type') === '2'
              ? 'ListObjectsV2'
              : undefined,
        }
      : {
          GET: 'GetObject',
          HEAD: 'HeadObject',
          PUT: isPart ? 'UploadPart' : 'PutObject',
          DELETE: isPart ? 'AbortMultipartUpload' : 'DeleteObject',
          POST: isPart ? 'CompleteMultipartUpload' : query.has('uploads') ? 'CreateMultipartUpload' : undefined,
        }
  return names[method] ?? null
}

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest()
const tagOf = (bytes: Buffer) => `"${md5(bytes).toString('hex')}"`

/** Objects and uploads in memory, and the operations on them. */
class Bucket implements Record<S3Operation, (call: Call) => Answer> {
  readonly objects = new Map<string, Buffer>()
  readonly uploads = new Map<string, Upload>()
  /** What objects and parts may take together. */
  quotaBytes = Number.POSITIVE_INFINITY

  ListObjectsV2({ query }: Call): Answer {
    const prefix = query.get('prefix') ?? ''
    const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString()
    const names = [...this.objects.keys()].filter((name) => name.startsWith(prefix) && name > after).toSorted()
    const page = names.slice(0, Math.min(MOST_LISTED, Number(query.get('max-keys') ?? MOST_LISTED)))
    const contents = page.map(
      (name) => `<Contents><Key>${name}</Key><Size>${this.objects.get(name)!.length}</Size></Contents>`,
    )
    const isTruncated = page.length < names.length
    const token = isTruncated
      ? `<NextContinuationToken>${Buffer.from(page.at(-1)!).toString('base64')}</NextContinuationToken>`
      : ''
    const body = `<IsTruncated>${isTruncated}</IsTruncated>${token}${contents.join('')}`
    return { status: 200, body: `<?xml version="1.0"?><ListBucketResult>${body}</ListBucketResult>` }
  }

  ListMultipartUploads({ query }: Call): Answer {
    const uploads = [...this.uploads].filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''))
    const body = uploads.map(
      ([id, { key, startedAt }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${startedAt.toISOString()}</Initiated></Upload>`,
    )
    return { status: 200, body: `<ListMultipartUploadsResult>${body.join('')}</ListMultipartUploadsResult>` }
  }

  GetObject({ key, headers }: Call): Answer {
    const bytes = this.#object(key)
    const match = headers['if-match']
    if (match !== undefined && match !== tagOf(bytes)) throw new Refused(412, 'PreconditionFailed')
    const [, from] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? []
    const body = bytes.subarray(Number(from ?? 0))
    return { status: from === undefined ? 200 : 206, body, headers: { etag: tagOf(bytes) } }
  }

  HeadObject({ key }: Call): Answer {
    return { status: 200, headers: { 'content-length': this.#object(key).length } }
  }

  PutObject({ key, body }: Call): Answer {
    this.#claim(body.length)
    this.objects.set(key, body)
    return { status: 200, headers: { etag: tagOf(body) } }
  }

  DeleteObject({ key }: Call): Answer {
    this.objects.delete(key)
    return { status: 204 }
  }

  CreateMultipartUpload({ key }: Call): Answer {
    const id = randomUUID()
    this.uploads.set(id, { key, startedAt: new Date(), parts: new Map() })
    const body = `<Bucket>b</Bucket><Key>${key}</Key><UploadId>${id}</UploadId>`
    return { status: 200, body: `<InitiateMultipartUploadResult>${body}</InitiateMultipartUploadResult>` }
  }

  UploadPart({ query, body }: Call): Answer {
    const { parts } = this.#upload(query)
    const number = Number(query.get('partNumber'))
    if (!Number.isInteger(number) || number < 1 || number > 10_000) throw new Refused(400, 'InvalidArgument')
    this.#claim(body.length)
    parts.set(number, body)
    return { status: 200, headers: { etag: tagOf(body) } }
  }

  CompleteMultipartUpload({ query, body }: Call): Answer {
    const { key, parts } = this.#upload(query)
    const text = body.toString().replaceAll('&quot;', '"')
    const named = [...text.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)]
    const chosen = named.map(([, number, tag]) => {
      const part = parts.get(Number(number))
      if (part === undefined || tagOf(part) !== tag) throw new Refused(400, 'InvalidPart')
      return part
    })
    const numbers = named.map(([, number]) => Number(number))
    if (chosen.length === 0 || numbers.some((number, at) => at > 0 && number <= numbers[at - 1]!))
      throw new Refused(400, chosen.length === 0 ? 'MalformedXML' : 'InvalidPartOrder')
    if (chosen.slice(0, -1).some((part) => part.length < LEAST_PART)) throw new Refused(400, 'EntityTooSmall')
    this.objects.set(key, Buffer.concat(chosen))
    this.uploads.delete(query.get('uploadId') ?? '')
    return { status: 200, body: `<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>` }
  }

  AbortMultipartUpload({ query }: Call): Answer {
    this.#upload(query)
    this.uploads.delete(query.get('uploadId') ?? '')
    return { status: 204 }
  }

  #object(key: string): Buffer {
    const bytes = this.objects.get(key)
    if (bytes === undefined) throw new Refused(404, 'NoSuchKey')
    return bytes
  }

  #upload(query: URLSearchParams): Upload {
    const upload = this.uploads.get(query.get('uploadId') ?? '')
    if (upload === undefined) throw new Refused(404, 'NoSuchUpload')
    return upload
  }

  #claim(bytes: number): void {
    const parts = [...this.uploads.values()].flatMap((upload) => [...upload.parts.values()])
    const used = [...this.objects.values(), ...parts].reduce((sum, { length }) => sum + length, 0)
    if (used + bytes > this.quotaBytes) throw new Refused(403, 'QuotaExceeded')
  }
}
