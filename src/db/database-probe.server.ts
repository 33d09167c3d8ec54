import type pg from 'pg'

/** How long the database may take. */
const LIMIT_MS = 1000
/** How long a result is used. */
const CACHE_MS = 1000

/** Whether the database answers. All requests share one question a second, and wait a second at most. */
export function createProbe(pool: pg.Pool): () => Promise<boolean> {
  let last = { isAnswering: true, at: -Infinity }
  let underWay: Promise<boolean> | null = null

  async function probe(): Promise<boolean> {
    const isAnswering = await answers(pool)
    last = { isAnswering, at: performance.now() }
    return isAnswering
  }

  return () => {
    if (performance.now() - last.at < CACHE_MS) return Promise.resolve(last.isAnswering)
    underWay ??= probe().finally(() => (underWay = null))
    return underWay
  }
}

async function answers(pool: pg.Pool): Promise<boolean> {
  const end = performance.now() + LIMIT_MS
  const client = await connectUntil(end, pool)
  if (client === null) return false
  try {
    const query = { text: 'select 1', query_timeout: Math.max(1, end - performance.now()) }
    await client.query(query)
    client.release()
    return true
  } catch {
    // The answer may still arrive, or never: nobody else gets this connection.
    client.release(true)
    return false
  }
}

async function connectUntil(end: number, pool: pg.Pool): Promise<pg.PoolClient | null> {
  const connecting = pool.connect().catch(() => null)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), end - performance.now())
  })
  const client = await Promise.race([connecting, late])
  clearTimeout(timer)
  if (client !== 'late') return client
  void connecting.then((unused) => unused?.release())
  return null
}
