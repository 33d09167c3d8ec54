import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase, type OpenDatabase } from '../src/db/open.server.ts'
import { makeLearner } from '../tests/support/exam-takers.ts'
import type { CourseId } from '../src/lib/ids.ts'
import type { BenchServer } from './server.ts'
import { figureRow, limitRow, median, logged, type Row } from './table.ts'

const GROWTH = 1.5
const CALLS = 15
const sizes = [
  { courses: 100, users: 100 },
  { courses: 10_000, users: 100_000 },
] as const
const lists = {
  'list of courses': '/admin/course-management',
  'list of users': '/admin/manage-users',
  'list of orders': '/admin/orders',
  'audit log': '/admin/audit',
} as const

/** A page of each admin list, as the shop grows. Every user has an order and an audit entry. */
export async function benchLists(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: 1 })
  try {
    const { rows } = await database.pool.query<{ id: CourseId }>('select id from courses order by created_at limit 1')
    const courseId = rows[0]?.id
    if (courseId === undefined) throw new Error('the catalogue has no course')
    const { id, cookie } = await makeLearner(database.db, { dataDir: server.dataDir, courseId })
    await database.db.updateTable('profiles').set({ role: 'admin' }).where('id', '=', id).execute()
    const headers = { cookie: `${cookie.name}=${cookie.value}` }
    const times: Record<string, number[]> = {}
    for (const size of sizes) {
      await fill(database, size, courseId, id)
      for (const [name, path] of Object.entries(lists)) {
        const ms = await medianMs(`${server.url}${path}`, headers)
        times[name] = [...(times[name] ?? []), ms]
        logged(figureRow(`${name}, ${size.users} users`, `${ms.toFixed(1)} ms`))
      }
    }
    return Object.entries(times).flatMap(([name, [small = 0, large = 0]]) => [
      figureRow(`${name}, small / large shop`, `${small.toFixed(1)} ms / ${large.toFixed(1)} ms`),
      limitRow(`${name}: 10,000 courses and 100,000 users against 100`, large / small, GROWTH, 'times'),
    ])
  } finally {
    await database.close()
    await embedded.stop()
  }
}

async function fill({ pool }: OpenDatabase, size: (typeof sizes)[number], courseId: CourseId, adminId: string) {
  await pool.query('set statement_timeout = 0')
  await pool.query(
    `insert into courses (title, slug, price) select 'Bench course ' || n, 'bench-list-' || n, 19.99
     from generate_series((select count(*) from courses) + 1, $1) as n on conflict do nothing`,
    [size.courses],
  )
  await pool.query(
    `insert into users (name, email, email_verified) select 'Bench ' || n, 'bench-list-' || n || '@example.com', true
     from generate_series((select count(*) from users) + 1, $1) as n on conflict do nothing`,
    [size.users],
  )
  await pool.query(
    `insert into profiles (id) select id from users where email like 'bench-list-%' on conflict do nothing`,
  )
  await pool.query(
    `insert into orders (user_id, state, subtotal_cents, tax_cents, shipping_cents, total_cents, cart_key, provider, created_at, paid_at)
     select id, 'paid', 1999, 200, 999, 3198, 'bench-list-' || id, 'stripe', created_at, created_at
     from users where email like 'bench-list-%' and not exists (select from orders where orders.user_id = users.id)`,
  )
  await pool.query(
    `insert into order_lines (order_id, course_id, title, unit_price_cents, quantity)
     select id, $1, 'Bench', 1999, 1 from orders where cart_key like 'bench-list-%' on conflict do nothing`,
    [courseId],
  )
  await pool.query(
    `insert into audit_log (at, actor_id, action, subject_table, subject_id)
     select created_at, $1, 'bench', 'bench', id::text from users where email like 'bench-list-%'`,
    [adminId],
  )
  await pool.query('vacuum (analyze)')
}

async function medianMs(url: string, headers: Record<string, string>): Promise<number> {
  const times: number[] = []
  for (let call = 0; call < CALLS + 3; call += 1) {
    const startedAt = performance.now()
    const reply = await fetch(url, { headers, redirect: 'manual' })
    await reply.arrayBuffer()
    if (reply.status !== 200) throw new Error(`${url}: ${reply.status}`)
    times.push(performance.now() - startedAt)
  }
  // The first ones warm up.
  return median(times.slice(3))
}
