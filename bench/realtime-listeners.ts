import { get, type IncomingMessage } from 'node:http'
import { figureRow, limitRow, median, type Row } from './table.ts'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase } from '../src/db/open.server.ts'
import { memoryOf, type BenchServer } from './server.ts'

const MANY = 5000
const SOME = 1000
const ROUNDS = 5

/** The time until many listeners have received a change. All listeners run in this process. */
export async function benchRealtime(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: 1 })
  const before = await memoryOf(server.pid)
  const listeners: Listener[] = []
  const times = { [SOME]: [] as number[], [MANY]: [] as number[] }
  try {
    const { rows } = await database.pool.query<{ id: string }>('select id from courses limit 1')
    const courseId = rows[0]?.id ?? ''
    for (const size of [SOME, MANY] as const) {
      while (listeners.length < size)
        listeners.push(...(await Promise.all(Array.from({ length: 100 }, () => listen(server.url)))))
      for (let round = 0; round < ROUNDS; round += 1) {
        const received = listeners.map((listener) => listener.next())
        const startedAt = performance.now()
        await database.pool.query('update courses set updated_at = now() where id = $1', [courseId])
        await Promise.all(received)
        times[size]?.push(performance.now() - startedAt)
      }
    }
    const { serverMb } = await memoryOf(server.pid)
    return [
      limitRow(
        `one change to ${SOME} listeners, from the write to the last reception`,
        median(times[SOME] ?? []),
        1000,
        'ms',
      ),
      limitRow(`the same to ${MANY} listeners`, median(times[MANY] ?? []), 1000, 'ms'),
      figureRow(
        `memory of the server for ${MANY} open listeners`,
        `${Math.round(serverMb - before.serverMb)} MB (${Math.round(((serverMb - before.serverMb) * 1024) / MANY)} kB each)`,
      ),
    ]
  } finally {
    for (const listener of listeners) listener.close()
    await database.close()
    await embedded.stop()
  }
}

type Listener = { next(): Promise<void>; close(): void }

function listen(url: string): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const request = get(`${url}/api/realtime`, { agent: false }, (response: IncomingMessage) => {
      let waiting: (() => void) | null = null
      response.on('data', (chunk: Buffer) => {
        if (chunk.includes('event: change')) waiting?.()
      })
      response.on('error', () => undefined)
      if (response.statusCode !== 200) reject(new Error(`a listener was refused: ${response.statusCode}`))
      resolve({
        next: () => new Promise<void>((resolve) => (waiting = resolve)),
        close: () => void request.destroy(),
      })
    })
    request.on('error', reject)
  })
}
