import { readSeen, REALTIME_PATH } from './realtime.ts'
import { CatalogueChange } from './realtime.schema.ts'

/** A change, or 'gap': something may have been missed. */
export type RealtimeEvent = CatalogueChange | 'gap'

export type RealtimeSubscription = {
  /** Somebody else is signed in now: who may hear what is asked anew. */
  renew(): void
  stop(): void
}

/** What the tabs of a browser tell each other. */
type Message =
  | { readonly kind: 'heard'; readonly number: number; readonly event: RealtimeEvent }
  /** A tab that has just come says what its page holds; the one that listens says how far it is. */
  | { readonly kind: 'hello' }
  | { readonly kind: 'at'; readonly number: number }
  | { readonly kind: 'renew' }

const NAME = 'altocert-changes'
/** After a refusal; a lost connection is tried again by the browser itself. */
const REFUSED_WAIT_MS = 10_000

/**
 * Hears the changes after number `seen`. The tabs of a browser share one connection: the one that holds the lock listens and
 * tells the others; when it goes, the next one gets the lock and asks for what came after the last that it was told.
 */
export function subscribeToChanges(options: {
  seen: number
  onEvent: (event: RealtimeEvent) => void
}): RealtimeSubscription {
  const { onEvent } = options
  let seen = options.seen
  let isLeading = false
  let channel: BroadcastChannel | null = null
  let source: EventSource | null = null
  let timer: number | undefined
  let leave: (() => void) | null = null

  function hear(number: number, event: RealtimeEvent) {
    if (number <= seen) return
    seen = number
    onEvent(event)
  }

  function receiveFromServer(number: number, event: RealtimeEvent) {
    // A gap may come with a smaller number: the database was put back to an earlier state.
    if (event === 'gap') seen = Math.min(seen, number - 1)
    hear(number, event)
  }

  const tell = (message: Message) => channel?.postMessage(message)

  function handleMessage({ data: message }: MessageEvent<Message>) {
    if (message.kind === 'heard') receiveFromServer(message.number, message.event)
    else if (message.kind === 'at') hear(message.number, 'gap')
    else if (isLeading && message.kind === 'hello') tell({ kind: 'at', number: seen })
    else if (isLeading && message.kind === 'renew') connect()
  }

  /** Only while this tab has the lock. */
  function connect() {
    disconnect()
    if (!navigator.onLine) return
    const opened = new EventSource(`${REALTIME_PATH}?seen=${seen}`)
    source = opened
    for (const name of ['change', 'gap'])
      opened.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
        const number = readSeen(lastEventId)
        if (number === null) return
        const change = name === 'gap' ? null : CatalogueChange.safeParse(JSON.parse(data))
        const event = change?.success === true ? change.data : 'gap'
        receiveFromServer(number, event)
        tell({ kind: 'heard', number, event })
      })
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return
      timer = window.setTimeout(connect, REFUSED_WAIT_MS * (1 + Math.random()))
    })
  }

  function disconnect() {
    window.clearTimeout(timer)
    source?.close()
    source = null
  }

  function begin() {
    if (channel !== null) return
    channel = new BroadcastChannel(NAME)
    channel.addEventListener('message', handleMessage)
    tell({ kind: 'hello' })
    const waiting = new AbortController()
    const left = new Promise<void>((resolve) => {
      leave = () => {
        waiting.abort()
        resolve()
      }
    })
    navigator.locks
      .request(NAME, { signal: waiting.signal }, () => {
        if (waiting.signal.aborted) return
        isLeading = true
        connect()
        return left
      })
      // Outside: the wait for the lock was given up.
      .catch(() => undefined)
  }

  function end() {
    isLeading = false
    disconnect()
    leave?.()
    channel?.close()
    channel = null
  }

  // Outside: a page that is put aside for the way back must hold nothing, or the browser does not keep it.
  window.addEventListener('pagehide', end)
  window.addEventListener('pageshow', begin)
  const handleNetwork = () => {
    if (!isLeading) return
    if (navigator.onLine) connect()
    else disconnect()
  }
  window.addEventListener('online', handleNetwork)
  window.addEventListener('offline', handleNetwork)
  begin()
  return {
    renew() {
      tell({ kind: 'renew' })
      if (isLeading) connect()
    },
    stop() {
      window.removeEventListener('pagehide', end)
      window.removeEventListener('pageshow', begin)
      window.removeEventListener('online', handleNetwork)
      window.removeEventListener('offline', handleNetwork)
      end()
    },
  }
}
