import pg from 'pg'
import { z } from 'zod'
import type { Log } from './log.server.ts'

const RECONNECT_MS = 500

/** What the triggers send with NOTIFY catalogue_changes. */
export const CatalogueChange = z.object({
  table: z.enum(['courses', 'test_questions']),
  op: z.enum(['insert', 'update', 'delete']),
  id: z.string(),
  course_id: z.string(),
  row_version: z.number(),
})
export type CatalogueChange = z.infer<typeof CatalogueChange>

/** A change of the catalogue, or 'gap': the connection was away, and anything may have happened. */
export type ChangeListener = (change: CatalogueChange | 'gap') => void

/** Hears every committed change, whichever process made it. */
export async function listenForChanges(
  url: string,
  listener: ChangeListener,
  log: Log,
): Promise<{ isUp(): boolean; stop(): Promise<void> }> {
  let client: pg.Client | null = null
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  async function connect() {
    const next = new pg.Client({ connectionString: url, keepAlive: true })
    next.on('error', (error) => log.warn({ err: error }, 'the connection that hears changes broke'))
    next.on('end', () => {
      client = null
      if (!isStopped) timer = setTimeout(() => void reconnect(), RECONNECT_MS)
    })
    next.on('notification', ({ payload }) => {
      const parsed = CatalogueChange.safeParse(safeJson(payload))
      listener(parsed.success ? parsed.data : 'gap')
    })
    await next.connect()
    await next.query('listen catalogue_changes')
    client = next
  }

  async function reconnect() {
    try {
      await connect()
      listener('gap')
    } catch (error) {
      log.warn({ err: error }, 'the database is away; listening is tried again')
      if (!isStopped) timer = setTimeout(() => void reconnect(), RECONNECT_MS)
    }
  }

  await connect()
  return {
    isUp: () => client !== null,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await client?.end()
    },
  }
}

function safeJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}
