import autocannon from 'autocannon'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase, type OpenDatabase } from '../src/db/open.server.ts'
import type { BenchServer } from './server.ts'
import { figureRow, limitRow, median, type Row } from './table.ts'

const SIZES = [10, 1000, 10_000] as const
const SECONDS = 3
const COLD_CALLS = 15
const GROWTH = 1.5

type Cost = { readonly warmPerSecond: number; readonly coldMs: number }

/** The list of courses and one course, cached (warm) and right after a change (cold), as the catalogue grows. */
export async function benchCatalogue(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: 1 })
  try {
    const costs: { size: number; list: Cost; detail: Cost }[] = []
    for (const size of SIZES) {
      const id = await fillUp(database, size)
      costs.push({
        size,
        list: await costOf(database, `${server.url}/api/courses`, id),
        detail: await costOf(database, `${server.url}/api/courses/${id}`, id),
      })
    }
    const [small, large] = [costs[0]!, costs.at(-1)!]
    const text = ({ warmPerSecond, coldMs }: Cost) =>
      `${Math.round(warmPerSecond)} warm calls/s, ${coldMs.toFixed(1)} ms cold`
    return [
      ...costs.flatMap(({ size, list, detail }) => [
        figureRow(`list of courses, ${size} in the shop`, text(list)),
        figureRow(`one course, ${size} in the shop`, text(detail)),
      ]),
      ...(['list', 'detail'] as const).flatMap((what) => [
        limitRow(`${what}, cold: 10,000 courses against 10`, large[what].coldMs / small[what].coldMs, GROWTH, 'times'),
        limitRow(
          `${what}, warm: 10,000 courses against 10`,
          small[what].warmPerSecond / large[what].warmPerSecond,
          GROWTH,
          'times',
        ),
      ]),
    ]
  } finally {
    await database.pool.query(`delete from courses where slug like 'bench-%'`)
    await database.close()
    await embedded.stop()
  }
}

/** Adds courses until there are `size`, and returns the id of one. */
async function fillUp({ pool }: OpenDatabase, size: number): Promise<string> {
  await pool.query(
    `insert into courses (title, slug, price)
     select 'Bench course ' || n, 'bench-' || n, 19.99
     from generate_series((select count(*) from courses) + 1, $1) as n on conflict do nothing`,
    [size],
  )
  await pool.query('analyze courses')
  const { rows } = await pool.query<{ id: string }>('select id from courses order by created_at limit 1')
  return rows[0]?.id ?? ''
}

async function costOf({ pool }: OpenDatabase, url: string, courseId: string): Promise<Cost> {
  const cold: number[] = []
  for (let call = 0; call < COLD_CALLS; call += 1) {
    await pool.query('update courses set updated_at = now() where id = $1', [courseId])
    const startedAt = performance.now()
    await (await fetch(url)).arrayBuffer()
    cold.push(performance.now() - startedAt)
  }
  const { requests, non2xx, errors } = await autocannon({ url, connections: 16, duration: SECONDS })
  if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} refusals, ${errors} errors`)
  return { warmPerSecond: requests.average, coldMs: median(cold) }
}
