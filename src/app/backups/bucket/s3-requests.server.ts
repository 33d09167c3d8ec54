import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { counted } from '../../../lib/text.ts'
import { MINUTE_MS, SECOND_MS } from '../../../lib/time.ts'
import type { BucketSettings } from '../../../platform/backup-settings.server.ts'
import { StoreFailed } from '../backup-store.server.ts'
import { networkReason, refusalReason } from './s3-refusal.ts'
import { readReply } from './s3-reply.server.ts'

export type Patience = {
  /** How long nothing may move: no more of a body is taken, no answer comes, a download stands still. */
  readonly silenceMs: number
  /** Before the second try, and twice as long before the third. */
  readonly retryMs: number
}
const PATIENCE: Patience = { silenceMs: 2 * MINUTE_MS, retryMs: SECOND_MS }
const TRIES = 3
/** So much of a body is handed to the connection at a time. Each is progress. */
const CHUNK_BYTES = 64 * 1024

export type S3Request = {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD'
  /** Of an object; empty for the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
}

/** The service refused. */
export class S3Refused extends StoreFailed {
  readonly status: number
  readonly code: string
  constructor(sentence: string, status: number, code: string) {
    super(sentence)
    this.status = status
    this.code = code
  }
}

type Answer = { readonly response: Response; readonly silence: Silence }

/** Sends signed requests to one bucket. `signal` ends what is under way. */
export class S3Requests {
  readonly #settings: BucketSettings
  readonly #signal: AbortSignal | undefined
  readonly #patience: Patience

  constructor(settings: BucketSettings, signal?: AbortSignal, patience: Patience = PATIENCE) {
    this.#settings = settings
    this.#signal = signal
    this.#patience = patience
  }

  get place(): string {
    const { bucket, prefix, endpoint } = this.#settings
    return `s3://${bucket}/${prefix} at ${new URL(endpoint).host}`
  }

  /** The answer as a text. @throws S3Refused, StoreFailed */
  text(request: S3Request): Promise<{ text: string; headers: Headers }> {
    return this.#again(request, async ({ response, silence }) => {
      const text = await response.text()
      silence.end()
      // The end of an upload may fail after the head of its answer was sent.
      const { root, fields } = readReply(text)
      if (root === 'Error') throw this.#refusal(response.status, fields.get('Code') ?? '')
      return { text, headers: response.headers }
    })
  }

  /** The bytes of an object; a connection that is lost goes on where it was. @throws S3Refused, StoreFailed */
  async *bytes(key: string): AsyncGenerator<Uint8Array> {
    let done = 0
    let tag = ''
    for (let failures = 0; ;) {
      const headers: Record<string, string> = done === 0 ? {} : { range: `bytes=${done}-`, 'if-match': tag }
      const { response, silence } = await this.#again({ method: 'GET', key, headers }, (answer) =>
        Promise.resolve(answer),
      )
      tag = response.headers.get('etag') ?? ''
      const length = Number(response.headers.get('content-length') ?? Number.NaN) + done
      const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
      try {
        for (;;) {
          silence.begin()
          const part = await reader?.read()
          silence.end()
          if (part === undefined || part.done) break
          done += part.value.length
          failures = 0
          yield part.value
        }
        if (done < length) throw new TypeError('terminated', { cause: { code: 'ECONNRESET' } })
        return
      } catch (error) {
        failures += 1
        if (failures >= TRIES || this.#signal?.aborted === true) throw this.#explain(error, silence)
        await wait(this.#patience.retryMs, undefined, { signal: this.#signal })
      } finally {
        silence.end()
        await reader?.cancel().catch(() => undefined)
      }
    }
  }

  /** Errors of the service and of the network are tried again. */
  async #again<Result>(request: S3Request, use: (answer: Answer) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      const silence = new Silence(this.#patience.silenceMs, this.#signal)
      try {
        const response = await this.#send(request, silence)
        if (!response.ok) throw await this.#refusalOf(response)
        return await use({ response, silence })
      } catch (error) {
        silence.end()
        if (isFinal(error) || tries === TRIES || this.#signal?.aborted === true) throw this.#explain(error, silence)
        await wait(this.#patience.retryMs * tries, undefined, { signal: this.#signal })
      }
    }
  }

  async #send({ method, key = '', query = {}, headers = {}, body }: S3Request, silence: Silence): Promise<Response> {
    const { endpoint, bucket, accessKeyId, secretAccessKey, sessionToken, region } = this.#settings
    const url = new URL(`${endpoint}/${bucket}${key === '' ? '' : `/${key}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      // The service refuses a body that was damaged on the way.
      headers: {
        ...headers,
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: 's3',
      region,
    })
    const signed = await signer.sign()
    if (body !== undefined) signed.headers.set('content-length', String(body.length))
    return fetch(signed.url, {
      method,
      headers: signed.headers,
      signal: silence.signal,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: inChunks(body, silence), duplex: 'half' }),
    })
  }

  async #refusalOf(response: Response): Promise<S3Refused> {
    return this.#refusal(response.status, readReply(await response.text()).fields.get('Code') ?? '')
  }

  #refusal(status: number, code: string): S3Refused {
    return new S3Refused(`The bucket ${this.place} refused: ${refusalReason(status, code)}.`, status, code)
  }

  #explain(error: unknown, silence: Silence): unknown {
    if (error instanceof StoreFailed || this.#signal?.aborted === true) return error
    if (silence.isOver) {
      const what = silence.isSending ? 'took no more of an upload' : 'did not answer'
      const seconds = counted(Math.ceil(this.#patience.silenceMs / SECOND_MS), 'second')
      return new StoreFailed(`The bucket ${this.place} ${what} within ${seconds}.`)
    }
    const { cause } = error as { cause?: { code?: string } }
    return new StoreFailed(`The bucket ${this.place} is away: ${networkReason(cause?.code ?? '')}.`, { cause: error })
  }
}

/** Whether the answer would be the same again. An error with the status of success is one of the service. */
function isFinal(error: unknown): boolean {
  return error instanceof S3Refused && error.status >= 300 && error.status < 500 && error.status !== 429
}

/** The body as a stream that is asked for more when the connection has taken what it had. */
function inChunks(body: Uint8Array<ArrayBuffer>, silence: Silence): ReadableStream<Uint8Array> {
  const startedAt = performance.now()
  let at = 0
  silence.isSending = true
  return new ReadableStream<Uint8Array>(
    {
      pull(stream) {
        if (at < body.length) {
          silence.begin()
          stream.enqueue(body.subarray(at, (at += CHUNK_BYTES)))
          return
        }
        // The system may hold up to about half of a part, which then takes as long again to arrive.
        silence.begin(performance.now() - startedAt)
        silence.isSending = false
        stream.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Ends a request in which nothing moves. */
class Silence {
  readonly #controller = new AbortController()
  readonly #milliseconds: number
  #timer: NodeJS.Timeout | undefined
  readonly signal: AbortSignal
  isOver = false
  /** There is a body of which the rest was not asked for yet. */
  isSending = false

  constructor(milliseconds: number, signal: AbortSignal | undefined) {
    this.#milliseconds = milliseconds
    this.signal = signal === undefined ? this.#controller.signal : AbortSignal.any([this.#controller.signal, signal])
    this.begin()
  }

  /** Something moved, or is about to; after `more` than usual it has to move again. */
  begin(more = 0): void {
    this.end()
    if (this.isOver) return
    this.#timer = setTimeout(() => {
      this.isOver = true
      this.#controller.abort()
    }, this.#milliseconds + more)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
