import { LRUCache } from 'lru-cache'
import { fail } from '../request-failures.ts'

/** Limits attempts per network address in a fixed window, in this process. Against floods: limits are far above normal use. */
export function networkLimit(options: { attempts: number; windowMs: number }) {
  const counts = new LRUCache<string, { count: number }>({ max: 50_000, ttl: options.windowMs })
  /** @throws Failure request.too-many */
  return (address: string) => {
    const entry = counts.get(address)
    if (entry === undefined) counts.set(address, { count: 1 })
    else if (entry.count >= options.attempts) throw fail('request.too-many')
    else entry.count += 1
  }
}
