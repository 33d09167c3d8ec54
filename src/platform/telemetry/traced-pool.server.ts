import { AsyncResource } from 'node:async_hooks'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { statementName } from './statement-name.ts'
import type { SpanStart, Tracing } from './tracing.server.ts'

type Query = (...given: unknown[]) => unknown
type Connect = (...given: unknown[]) => unknown

/** Each query of the pool becomes a span of what is under way: its verb and table, or the name of its statement, and never a value. */
export function tracePool(pool: pg.Pool, tracing: Tracing): void {
  pool.on('connect', (client) => traceQueries(client, tracing))
  const connect = pool.connect.bind(pool) as Connect
  // A callback that waits for a free connection is called by whoever gives one back, and would belong to their request.
  const bound: Connect = (...given) =>
    connect(...given.map((one) => (typeof one === 'function' ? AsyncResource.bind(one as () => void) : one)))
  pool.connect = bound as typeof pool.connect
}

function traceQueries(client: pg.ClientBase, tracing: Tracing): void {
  const query = client.query.bind(client) as Query
  const traced: Query = (...given) => {
    const start = startOf(given[0])
    const end = start === null ? null : tracing.begin(start)
    if (end === null) return query(...given)
    const last = given.at(-1)
    if (typeof last === 'function') {
      const ended = (error: unknown, result: unknown) => {
        end(error ?? undefined)
        ;(last as Query)(error, result)
      }
      return query(...given.slice(0, -1), ended)
    }
    const result = query(...given) as Promise<unknown>
    result.then(() => end(), end)
    return result
  }
  client.query = traced as typeof client.query
}

/** Kysely has no names for statements, so ours for them say nothing. */
const OUR_NAME = /^prepared-\d+$/

const known = new LRUCache<string, SpanStart>({ max: 1000 })

/** Null for what is no plain statement, such as a cursor. */
function startOf(query: unknown): SpanStart | null {
  if (typeof query === 'string') return startOfText(query)
  if (typeof query !== 'object' || query === null || !('text' in query) || 'submit' in query) return null
  const { text, name } = query as pg.QueryConfig
  return startOfText(text, name !== undefined && !OUR_NAME.test(name) ? name : undefined)
}

function startOfText(text: string, statement?: string): SpanStart {
  const found = known.get(text)
  if (found !== undefined) return found
  const { operation, table } = statementName(text)
  const start: SpanStart = {
    name: statement ?? (table === undefined ? operation : `${operation} ${table}`),
    kind: 'client',
    facts: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      ...(table === undefined ? {} : { 'db.collection.name': table }),
      ...(statement === undefined ? {} : { 'db.query.summary': statement }),
    },
  }
  known.set(text, start)
  return start
}
