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

/** What the server sends: a numbered change of the catalogue, or a change of the user's own data. */
type ServerMessage =
  | { readonly kind: 'heard'; readonly number: number; readonly event: RealtimeEvent }
  | { readonly kind: 'own'; readonly change: OwnChange }

/** A message between the tabs of a browser. */
type Message =
  | ServerMessage
  /** A new tab says hello; the connected tab answers with the number of its last change. */
  | { readonly kind: 'hello' }
  | { readonly kind: 'at'; readonly number: number }
  | { readonly kind: 'renew' }

type ReceiverOptions = { readonly seen: number; readonly onEvent: (event: RealtimeEvent) => void }

const NAME = 'altocert-changes'
/** How long to wait after the server refused; the browser itself retries a lost connection. */
const REFUSED_WAIT_MS = 10_000

/**
 * Receives the changes after number `seen`. The tabs of a browser share one connection: the tab that holds a lock connects and passes
 * each event on. When it closes, the next tab gets the lock and continues after the last change that it received.
 */
export function subscribeToChanges(options: ReceiverOptions): RealtimeSubscription {
  const received = createReceiver(options)
  let isLeading = false
  let releaseLock: (() => void) | null = null
  const tabs = createTabChannel(handleMessage)
  const connection = createConnection((message) => {
    receive(message)
    tabs.post(message)
  })
  const connect = () => connection.open(received.last)

  function receive(message: ServerMessage) {
    if (message.kind === 'own') passOwnChange(message.change)
    else received.fromServer(message.number, message.event)
  }

  function handleMessage(message: Message) {
    if (message.kind === 'heard' || message.kind === 'own') receive(message)
    else if (message.kind === 'at') received.receive(message.number, 'gap')
    else if (isLeading && message.kind === 'hello') tabs.post({ kind: 'at', number: received.last() })
    else if (isLeading && message.kind === 'renew') connect()
  }

  function start() {
    if (tabs.isOpen()) return
    tabs.open()
    tabs.post({ kind: 'hello' })
    releaseLock = holdLock(() => {
      isLeading = true
      connect()
    })
  }

  function end() {
    isLeading = false
    connection.close()
    releaseLock?.()
    tabs.close()
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
      tabs.post({ kind: 'renew' })
      if (isLeading) connect()
    },
    stop() {
      stopFollowing()
      end()
    },
  }
}

/** While it is closed, messages go nowhere. */
function createTabChannel(onMessage: (message: Message) => void) {
  let channel: BroadcastChannel | null = null
  return {
    isOpen: () => channel !== null,
    open() {
      channel = new BroadcastChannel(NAME)
      channel.addEventListener('message', ({ data }: MessageEvent<Message>) => onMessage(data))
    },
    post: (message: Message) => channel?.postMessage(message),
    close() {
      channel?.close()
      channel = null
    },
  }
}

/** Passes each event on once, by its number. */
function createReceiver({ seen, onEvent }: ReceiverOptions) {
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
function createConnection(onMessage: (message: ServerMessage) => void) {
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
        onMessage({ kind: 'heard', number, event: change?.success === true ? change.data : 'gap' })
      })
    opened.addEventListener('own', ({ data }: MessageEvent<string>) => {
      const change = OwnChange.safeParse(JSON.parse(data))
      if (change.success) onMessage({ kind: 'own', change: change.data })
    })
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return
      timer = window.setTimeout(() => open(seen), REFUSED_WAIT_MS * (1 + Math.random()))
    })
  }

  return { open, close }
}
