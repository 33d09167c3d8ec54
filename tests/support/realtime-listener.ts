import { get, type IncomingMessage } from 'node:http'
import { CatalogueChange, OwnChange } from '../../src/platform/realtime/realtime.schema.ts'

export type RealtimeEvent = {
  readonly id: number
  readonly event: string
  readonly change: CatalogueChange | OwnChange | null
}

/** A client of /api/realtime, like a browser's EventSource. */
export type RealtimeListener = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** All events so far, in order. */
  readonly received: readonly RealtimeEvent[]
  /** Resolves with the first matching event, past ones included. */
  until(fits: (heard: RealtimeEvent) => boolean): Promise<RealtimeEvent>
  readonly ended: Promise<void>
  close(): void
}

export function listenTo(
  url: string,
  options: { seen?: number; headers?: Record<string, string> } = {},
): Promise<RealtimeListener> {
  const { seen, headers = {} } = options
  const path = seen === undefined ? '/api/realtime' : `/api/realtime?seen=${seen}`
  return new Promise((resolve, reject) => {
    const request = get(`${url}${path}`, { headers, agent: false }, (response) => {
      const received: RealtimeEvent[] = []
      const waiting = new Set<() => void>()
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const fields = new Map(
            block.split('\n').map((line) => [line.split(': ')[0] ?? '', line.slice(line.indexOf(': ') + 2)]),
          )
          if (!fields.has('event')) continue
          const change = CatalogueChange.or(OwnChange)
            .nullable()
            .parse(JSON.parse(fields.get('data') ?? 'null'))
          received.push({ id: Number(fields.get('id')), event: fields.get('event') ?? '', change })
        }
        for (const look of waiting) look()
      })
      // The server cut the connection; 'close' follows.
      response.on('error', () => undefined)
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        received: received,
        until: (fits) =>
          new Promise((resolve) => {
            const check = () => {
              const event = received.find(fits)
              if (event === undefined) return
              waiting.delete(check)
              resolve(event)
            }
            waiting.add(check)
            check()
          }),
        ended: new Promise((end) => response.on('close', () => end())),
        close: () => void request.destroy(),
      })
    })
    request.on('error', reject)
  })
}
