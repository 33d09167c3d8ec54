import { LRUCache } from 'lru-cache'
import type { Db } from '../../../db/open.server.ts'
import { findLayout } from '../attempts-queries.server.ts'
import type { Layout } from '../attempts.schema.ts'

const CACHED_LAYOUTS = 1000
const layouts = new LRUCache<string, Layout>({ max: CACHED_LAYOUTS })

/** The layout of an attempt. It never changes, so it is not read again for each save. */
export async function findCachedLayout(db: Db, attemptId: string): Promise<Layout | null> {
  const cached = layouts.get(attemptId)
  if (cached !== undefined) return cached
  const layout = await findLayout(db, attemptId)
  if (layout !== null) layouts.set(attemptId, layout)
  return layout
}
