import type { ServerResponse } from 'node:http'
import type { Figure } from '../metrics.server.ts'
import type { NumberedChange } from './realtime.schema.ts'

/** Proxies close connections that are silent for a minute. The heartbeat also reveals listeners that are gone. */
const HEARTBEAT_MS = 15_000
/** How much a listener may leave unread in this process, in addition to the kernel's buffer. */
export const UNREAD_LIMIT_BYTES = 64 * 1024
/** A stream ends after this time. The browser reconnects and is identified again, because sessions end and roles change. */
const STREAM_LIFE_MS = 10 * 60_000
const LISTENERS_MAX = 10_000
/** After the end of a stream browsers reconnect within one to three seconds, so not all at once. */
const RETRY_MS = 1000
const RETRY_SPREAD_MS = 2000
const HEARTBEAT = Buffer.from(':\n\n')

type Listener = {
  readonly response: ServerResponse
  readonly receivesDrafts: boolean
  readonly openedAt: number
  /** Whether data was unread at the previous heartbeat. */
  isBehind: boolean
}

/**
 * The open streams of /api/realtime in this process. A change is serialized once. A listener that does not read is dropped, and gets
 * the missed changes when it reconnects.
 */
export class Listeners {
  readonly #open = new Set<Listener>()
  readonly #remembered: NumberedChange[] = []
  readonly #rememberedLimit: number
  readonly #timer: NodeJS.Timeout
  #isClosed = false
  #dropped = 0

  constructor(options: { remembered: number; heartbeatMs?: number }) {
    this.#rememberedLimit = options.remembered
    this.#timer = setInterval(() => this.#beat(), options.heartbeatMs ?? HEARTBEAT_MS)
    this.#timer.unref()
  }

  get size(): number {
    return this.#open.size
  }

  /** How many listeners were dropped because they did not read. */
  get dropped(): number {
    return this.#dropped
  }

  /** The newest change that this process knows; 0 before the first. */
  get newest(): number {
    return this.#remembered.at(-1)?.number ?? 0
  }

  get isFull(): boolean {
    return this.#isClosed || this.#open.size >= LISTENERS_MAX
  }

  figures(): Figure[] {
    return [
      {
        name: 'altocert_realtime_listeners',
        kind: 'gauge',
        help: 'Open streams of /api/realtime.',
        values: [[{}, this.#open.size]],
      },
      {
        name: 'altocert_realtime_dropped_total',
        kind: 'counter',
        help: 'Streams that were dropped because nobody read them.',
        values: [[{}, this.#dropped]],
      },
    ]
  }

  /** Starts a stream. It begins with the changes after `seen`, or with 'gap' if some of them may be unknown. */
  add(
    response: ServerResponse,
    options: { receivesDrafts: boolean; seen: number | null; headers: Record<string, string> },
  ) {
    const { receivesDrafts, seen, headers } = options
    // The stream ends with the connection, so that a change is one write without chunk headers.
    response.useChunkedEncodingByDefault = false
    response.socket?.setNoDelay(true)
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      connection: 'close',
    })
    const retry = `retry: ${Math.round(RETRY_MS + Math.random() * RETRY_SPREAD_MS)}\n\n`
    const missed = this.#since(seen)
    response.write(retry + (missed === null ? eventText('gap', this.newest, null) : textFor(missed, receivesDrafts)))
    const listener: Listener = { response, receivesDrafts, openedAt: performance.now(), isBehind: false }
    this.#open.add(listener)
    response.on('close', () => this.#open.delete(listener))
    // The client disconnected; 'close' follows.
    response.on('error', () => undefined)
  }

  publish(changes: readonly NumberedChange[]): void {
    this.#remembered.push(...changes)
    this.#remembered.splice(0, Math.max(0, this.#remembered.length - this.#rememberedLimit))
    const forAdmins = Buffer.from(textFor(changes, true))
    const forGuests = Buffer.from(textFor(changes, false))
    for (const listener of this.#open) {
      const bytes = listener.receivesDrafts ? forAdmins : forGuests
      if (bytes.byteLength > 0) this.#write(listener, bytes)
    }
  }

  /** Ends every stream and accepts no more. Browsers reconnect to another process or to the next one. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const { response } of this.#open) response.end()
  }

  /** The changes after `seen`; null when some may be missing: too long ago, or the database was restored since. */
  #since(seen: number | null): NumberedChange[] | null {
    if (seen === this.newest) return []
    const oldest = this.#remembered[0]?.number
    if (seen === null || oldest === undefined || seen < oldest || seen > this.newest) return null
    return this.#remembered.filter(({ number }) => number > seen)
  }

  #write(listener: Listener, bytes: Buffer): void {
    const { response } = listener
    if (response.writableLength + bytes.byteLength > UNREAD_LIMIT_BYTES) this.#drop(listener)
    else response.write(bytes)
  }

  #drop(listener: Listener): void {
    this.#dropped += 1
    this.#open.delete(listener)
    listener.response.destroy()
  }

  #beat(): void {
    const now = performance.now()
    for (const listener of this.#open) {
      const isBehind = listener.response.writableLength > 0
      if (isBehind && listener.isBehind) this.#drop(listener)
      else if (now - listener.openedAt > STREAM_LIFE_MS) listener.response.end()
      else this.#write(listener, HEARTBEAT)
      listener.isBehind = isBehind
    }
  }
}

function textFor(changes: readonly NumberedChange[], receivesDrafts: boolean): string {
  return changes
    .filter(({ isPublic }) => receivesDrafts || isPublic)
    .map(({ number, change }) => eventText('change', number, change))
    .join('')
}

/** The form of server-sent events. JSON has no line breaks. */
function eventText(name: 'change' | 'gap', number: number, value: unknown): string {
  return `id: ${number}\nevent: ${name}\ndata: ${JSON.stringify(value)}\n\n`
}
