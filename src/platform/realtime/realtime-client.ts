import { readSeen, REALTIME_PATH } from './realtime.ts'
import { passOwnChange } from './own-changes-client.ts'
import { CatalogueChange, OwnChange } from './realtime.schema.ts'

/** A change, or 'gap': something may have been missed. */
export type RealtimeEvent = CatalogueChange | 'gap'

export type RealtimeSubscription = {
  /** Reconnects, because another user is signed in who may receive other changes. */
  renew(): void
  stop(): void
}

/** A message between the tabs of a browser. */
type Message =
  | { readonly kind: 'heard'; readonly number: number; readonly event: RealtimeEvent }
  /** A new tab says hello; the connected tab answers with the number of its last change. */
  | { readonly kind: 'hello' }
  | { readonly kind: 'at'; readonly number: number }
  | { readonly kind: 'renew' }
  | { readonly kind: 'own'; readonly change: OwnChange }

const NAME = 'altocert-changes'
/** How long to wait after the server refused; the browser itself retries a lost connection. */
const REFUSED_WAIT_MS = 10_000

/**
 * Receives the changes after number `seen`. The tabs of a browser share one connection: the tab that holds a lock connects and passes
 * each event on. When it closes, the next tab gets the lock and continues after the last change that it received.
 */
export function subscribeToChanges(options: {
  seen: number
  onEvent: (event: RealtimeEvent) => void
}): RealtimeSubscription {
  const received = createReceiver(options)
  let isLeading = false
  let channel: BroadcastChannel | null = null
  let releaseLock: (() => void) | null = null
  const connection = createConnection({
    onChange(number, event) {
      received.fromServer(number, event)
      post({ kind: 'heard', number, event })
    },
    onOwn(change) {
      passOwnChange(change)
      post({ kind: 'own', change })
    },
  })

  const post = (message: Message) => channel?.postMessage(message)
  const connect = () => connection.open(received.last)

  function handleMessage({ data: message }: MessageEvent<Message>) {
    if (message.kind === 'heard') received.fromServer(message.number, message.event)
    else if (message.kind === 'own') passOwnChange(message.change)
    else if (message.kind === 'at') received.receive(message.number, 'gap')
    else if (isLeading && message.kind === 'hello') post({ kind: 'at', number: received.last() })
    else if (isLeading && message.kind === 'renew') connect()
  }

  function start() {
    if (channel !== null) return
    channel = new BroadcastChannel(NAME)
    channel.addEventListener('message', handleMessage)
    post({ kind: 'hello' })
    releaseLock = holdLock(() => {
      isLeading = true
      connect()
    })
  }

  function end() {
    isLeading = false
    connection.close()
    releaseLock?.()
    channel?.close()
    channel = null
  }

  const stopFollowing = followPage({
    onShow: start,
    onHide: end,
    onOnline: () => isLeading && connect(),
    onOffline: () => connection.close(),
  })
  start()
  return {
    renew() {
      post({ kind: 'renew' })
      if (isLeading) connect()
    },
    stop() {
      stopFollowing()
      end()
    },
  }
}

/** Passes each event on once, by its number. */
function createReceiver({ seen, onEvent }: { seen: number; onEvent: (event: RealtimeEvent) => void }) {
  let last = seen
  function receive(number: number, event: RealtimeEvent) {
    if (number <= last) return
    last = number
    onEvent(event)
  }
  return {
    last: () => last,
    receive,
    fromServer(number: number, event: RealtimeEvent) {
      // A gap may have a smaller number after the database was restored to an earlier state.
      if (event === 'gap') last = Math.min(last, number - 1)
      receive(number, event)
    },
  }
}

/**
 * The browser puts a page into its back/forward cache only when the page holds no lock and no connection, hence `onHide`.
 * Returns how to stop.
 */
function followPage(on: { onShow(): void; onHide(): void; onOnline(): void; onOffline(): void }): () => void {
  const listening = new AbortController()
  const { signal } = listening
  window.addEventListener('pagehide', on.onHide, { signal })
  window.addEventListener('pageshow', on.onShow, { signal })
  window.addEventListener('online', on.onOnline, { signal })
  window.addEventListener('offline', on.onOffline, { signal })
  return () => listening.abort()
}

/** Waits for the lock that one tab of the browser holds, and keeps it. Returns how to release it, or to stop waiting. */
function holdLock(onLock: () => void): () => void {
  const waiting = new AbortController()
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  navigator.locks
    .request(NAME, { signal: waiting.signal }, () => {
      if (waiting.signal.aborted) return
      onLock()
      return released
    })
    // The wait was aborted.
    .catch(() => undefined)
  return () => {
    waiting.abort()
    release()
  }
}

/** The event stream of the server. `open` starts it after the last change seen; a refused stream is opened again later. */
function createConnection(on: {
  onChange(number: number, event: RealtimeEvent): void
  onOwn(change: OwnChange): void
}) {
  let source: EventSource | null = null
  let timer: number | undefined

  function close() {
    window.clearTimeout(timer)
    source?.close()
    source = null
  }

  function open(seen: () => number) {
    close()
    if (!navigator.onLine) return
    const opened = new EventSource(`${REALTIME_PATH}?seen=${seen()}`)
    source = opened
    for (const name of ['change', 'gap'])
      opened.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
        const number = readSeen(lastEventId)
        if (number === null) return
        const change = name === 'gap' ? null : CatalogueChange.safeParse(JSON.parse(data))
        on.onChange(number, change?.success === true ? change.data : 'gap')
      })
    opened.addEventListener('own', ({ data }: MessageEvent<string>) => {
      const change = OwnChange.safeParse(JSON.parse(data))
      if (change.success) on.onOwn(change.data)
    })
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return
      timer = window.setTimeout(() => open(seen), REFUSED_WAIT_MS * (1 + Math.random()))
    })
  }

  return { open, close }
}
