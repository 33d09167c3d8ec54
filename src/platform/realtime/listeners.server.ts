import type { ServerResponse } from 'node:http'
import type { UserId } from '../../lib/ids.ts'
import type { User } from '../../lib/user.ts'
import type { Figure } from '../metrics.server.ts'
import type { NumberedChange, OwnChange } from './realtime.schema.ts'

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
/** A stream that ended for a newer one of its user stays away this long, so that the two don't end each other in turns. */
const RETRY_LATER = Buffer.from('retry: 600000\n\n')
const HEARTBEAT = Buffer.from(':\n\n')

type Listener = {
  readonly response: ServerResponse
  /** Null for a guest. */
  readonly user: User | null
  readonly network: string
  readonly receivesDrafts: boolean
  readonly openedAt: number
  /** Whether data was unread at the previous heartbeat. */
  isBehind: boolean
}

/** The user of a session as it is now; null when it has ended. */
type FindUser = (user: User) => Promise<User | null>

/** The streams of the other processes that serve the same port. The limits hold for all of them together. */
export type SiblingStreams = {
  opened(stream: { network: string; userId: string | null }): void
  closed(stream: { network: string; userId: string | null }): void
  /** The streams of a network in all processes, as far as this one has heard. */
  countOf(network: string): number
  /** Calls `end` when a user has too many in all processes, and the oldest is here. */
  onEndOldest(end: (userId: string) => void): void
}

type ListenersOptions = {
  readonly remembered: number
  readonly perUser: number
  readonly perNetwork: number
  readonly findUser: FindUser
  readonly heartbeatMs?: number
  readonly siblings?: SiblingStreams | undefined
}

/**
 * The open streams of /api/realtime in this process. A change is serialized once. A listener that does not read is dropped, and gets
 * the missed changes when it reconnects.
 */
export class Listeners {
  readonly #open = new Set<Listener>()
  readonly #users = new Map<UserId, Set<Listener>>()
  readonly #networks = new Map<string, Set<Listener>>()
  readonly #remembered: NumberedChange[] = []
  readonly #rememberedLimit: number
  readonly #timer: NodeJS.Timeout
  readonly #perUser: number
  readonly #perNetwork: number
  readonly #findUser: FindUser
  readonly #siblings: SiblingStreams | undefined
  #isClosed = false
  #isRetired = false
  #dropped = 0

  constructor(options: ListenersOptions) {
    this.#rememberedLimit = options.remembered
    this.#perUser = options.perUser
    this.#perNetwork = options.perNetwork
    this.#findUser = options.findUser
    this.#siblings = options.siblings
    this.#siblings?.onEndOldest((userId) => this.#endOldest(userId as UserId, 1))
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

  /** Whether this network has as many streams as it may. */
  isFullFor(network: string): boolean {
    const count = Math.max(this.#networks.get(network)?.size ?? 0, this.#siblings?.countOf(network) ?? 0)
    return count >= this.#perNetwork
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

  /**
   * Starts a stream. It begins with the changes after `seen`, or with 'gap' if some of them may be unknown. A user who has as many as
   * allowed loses the oldest.
   */
  add(
    response: ServerResponse,
    options: { user: User | null; network: string; seen: number | null; headers: Record<string, string> },
  ) {
    // The client left while it was identified: no 'close' will follow that would end its place among the open ones.
    if (response.destroyed) return
    const { user, network, seen, headers } = options
    const receivesDrafts = user?.role === 'admin'
    if (user !== null) this.#endOldest(user.id, this.#streamsOf(user.id) - this.#perUser + 1)
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
    const listener: Listener = { response, user, network, receivesDrafts, openedAt: performance.now(), isBehind: false }
    // Whoever still had a connection to this process comes back to the one that has taken over.
    if (this.#isRetired) return void response.end()
    this.#open.add(listener)
    this.#siblings?.opened({ network, userId: user?.id ?? null })
    join(this.#networks, network, listener)
    if (user !== null) join(this.#users, user.id, listener)
    response.on('close', () => this.#forget(listener))
    // The client disconnected; 'close' follows.
    response.on('error', () => undefined)
    // The session may have ended after it was read and before this stream was listed.
    if (user !== null) this.recheckUser(user.id)
  }

  /** Ends the streams of a user whose session has ended or whose role has changed. Browsers reconnect as whoever they are now. */
  recheckUser(userId: UserId): void {
    const sessions = new Map<string, User>()
    for (const { user } of this.#users.get(userId) ?? []) if (user !== null) sessions.set(user.sessionId, user)
    for (const user of sessions.values()) void this.#recheck(user)
  }

  recheckAll(): void {
    for (const userId of this.#users.keys()) this.recheckUser(userId)
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

  /** Puts these changes in the place of those known so far, and tells every stream that anything may have changed. */
  replace(latest: readonly NumberedChange[]): void {
    this.#remembered.splice(0, this.#remembered.length, ...latest)
    const bytes = Buffer.from(eventText('gap', this.newest, null))
    for (const listener of this.#open) this.#write(listener, bytes)
  }

  /** Sends a change to the streams of one user. It has no number: a stream that opens later does not get it. */
  sendTo(userId: UserId, change: OwnChange): void {
    const bytes = Buffer.from(`event: own\ndata: ${JSON.stringify(change)}\n\n`)
    for (const listener of this.#users.get(userId) ?? []) this.#write(listener, bytes)
  }

  /** Ends every stream and accepts no more. Browsers reconnect to another process or to the next one. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const { response } of this.#open) response.end()
  }

  /** Ends every stream, and each that still opens at once: another process has taken over. */
  retire(): void {
    this.#isRetired = true
    for (const { response } of this.#open) response.end()
  }

  /** The changes after `seen`; null when some may be missing: too long ago, or `seen` was lost with a database. */
  #since(seen: number | null): NumberedChange[] | null {
    if (seen === this.newest) return []
    const at = this.#remembered.findIndex(({ number }) => number === seen)
    return at === -1 ? null : this.#remembered.slice(at + 1)
  }

  async #recheck(user: User): Promise<void> {
    // Without the database nobody can be identified; the browser tries again.
    const now = await this.#findUser(user).catch(() => null)
    for (const { response, user: then } of this.#users.get(user.id) ?? [])
      if (then?.sessionId === user.sessionId && then.role !== now?.role) response.end()
  }

  #streamsOf(userId: UserId): number {
    return this.#users.get(userId)?.size ?? 0
  }

  /** Makes room for another stream of a user. */
  #endOldest(userId: UserId, count: number): void {
    const streams = [...(this.#users.get(userId) ?? [])]
    for (const listener of streams.slice(0, Math.max(0, count))) {
      this.#forget(listener)
      listener.response.end(RETRY_LATER)
    }
  }

  #forget(listener: Listener): void {
    if (!this.#open.delete(listener)) return
    this.#siblings?.closed({ network: listener.network, userId: listener.user?.id ?? null })
    leave(this.#networks, listener.network, listener)
    if (listener.user !== null) leave(this.#users, listener.user.id, listener)
  }

  #write(listener: Listener, bytes: Buffer): void {
    const { response } = listener
    if (response.writableLength + bytes.byteLength > UNREAD_LIMIT_BYTES) this.#drop(listener)
    else response.write(bytes)
  }

  #drop(listener: Listener): void {
    this.#dropped += 1
    this.#forget(listener)
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

function join<Key>(groups: Map<Key, Set<Listener>>, key: Key, listener: Listener): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, new Set([listener]))
  else group.add(listener)
}

function leave<Key>(groups: Map<Key, Set<Listener>>, key: Key, listener: Listener): void {
  const group = groups.get(key)
  group?.delete(listener)
  if (group?.size === 0) groups.delete(key)
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
