import { expect, test } from 'vitest'
import { aDatabase } from '../../../tests/support/test-database.ts'
import type { UserId } from '../../lib/ids.ts'
import { CachedQueries, cachedQuery, userQuery } from './cached-queries.server.ts'

const { db } = await aDatabase()

/** A query that counts its runs and waits for `answer`. */
function aRead() {
  let reads = 0
  const waiting: (() => void)[] = []
  const query = cachedQuery('course-detail', async (_db, slug: string) => {
    reads += 1
    const number = reads
    await new Promise<void>((resolve) => waiting.push(resolve))
    return `${slug} ${number}`
  })
  const answer = () => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  return { query, answer, count: () => reads }
}

function someCachedQueries() {
  const state = { isUp: true, now: 1 }
  return { state, reads: new CachedQueries({ isUp: () => state.isUp, now: () => state.now }) }
}

test('a result is reused until the catalogue changes, and concurrent calls share one query', async () => {
  const { reads } = someCachedQueries()
  const { query, answer, count } = aRead()
  const both = [reads.get(query, db, 'a'), reads.get(query, db, 'a')]
  answer()
  expect(await Promise.all(both)).toEqual(['a 1', 'a 1'])
  expect(await reads.get(query, db, 'a')).toBe('a 1')
  expect(count()).toBe(1)
  reads.drop()
  const after = reads.get(query, db, 'a')
  answer()
  expect(await after).toBe('a 2')
  expect(reads.counts).toEqual({ 'course-detail': { hits: 1, misses: 3 } })
})

test('two queries of one class never share a result, whether it is cached or under way', async () => {
  const { reads } = someCachedQueries()
  const [one, other] = [aRead(), aRead()]
  const both = Promise.all([reads.get(one.query, db, 'a'), reads.get(other.query, db, 'a')])
  expect([one.count(), other.count()]).toEqual([1, 1])
  one.answer()
  other.answer()
  await both
  const third = cachedQuery('course-detail', async (_db, _slug: string) => 'another')
  expect(await reads.get(third, db, 'a')).toBe('another')
  expect(await reads.get(one.query, db, 'a')).toBe('a 1')
})

test('a query under way during a change is not cached, and not shared with calls after the change', async () => {
  const { reads } = someCachedQueries()
  const { query, answer, count } = aRead()
  const before = reads.get(query, db, 'a')
  reads.drop()
  const after = reads.get(query, db, 'a')
  answer()
  expect([await before, await after]).toEqual(['a 1', 'a 2'])
  expect(await reads.get(query, db, 'a')).toBe('a 2')
  expect(count()).toBe(2)
})

test('while changes cannot be received, every call runs its query', async () => {
  const { reads, state } = someCachedQueries()
  const { query, answer, count } = aRead()
  const first = reads.get(query, db, 'a')
  answer()
  await first
  state.isUp = false
  const second = reads.get(query, db, 'a')
  answer()
  expect(await second).toBe('a 2')
  expect(count()).toBe(2)
})

test('a change of a user drops the results of that user and of nobody else', async () => {
  const { reads } = someCachedQueries()
  const [ada, ben] = ['ada', 'ben'] as UserId[] as [UserId, UserId]
  const readFor: string[] = []
  const waiting: (() => void)[] = []
  const periods = userQuery('user-courses', async (_db, userId) => {
    readFor.push(userId)
    await new Promise<void>((resolve) => waiting.push(resolve))
    return `${userId} ${readFor.length}`
  })
  const course = cachedQuery('course', (_db, slug: string) => Promise.resolve(slug))
  const open = () => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  await reads.get(course, db, ada)
  const both = [reads.get(periods, db, ada), reads.get(periods, db, ben)]
  open()
  expect(await Promise.all(both)).toEqual(['ada 2', 'ben 2'])
  reads.dropUser(ada)
  const during = reads.get(periods, db, ada)
  reads.dropUser(ada)
  const after = reads.get(periods, db, ada)
  open()
  await Promise.all([during, after])
  expect(await reads.get(periods, db, ben)).toBe('ben 2')
  expect(await reads.get(course, db, ada)).toBe('ada')
  expect(readFor).toEqual(['ada', 'ben', 'ada', 'ada'])
  expect(await reads.get(periods, db, ada)).toBe('ada 4')
  expect(readFor).toHaveLength(4)
})

test('a result with a state is reused while the state is the same, and never shared with calls at another state', async () => {
  const { reads } = someCachedQueries()
  const ada = 'ada' as UserId
  let state = 'one'
  const waiting: (() => void)[] = []
  const progress = userQuery(
    'user-progress',
    async () => {
      const stateRead = state
      await new Promise<void>((resolve) => waiting.push(resolve))
      return stateRead
    },
    () => Promise.resolve(state),
  )
  const first = reads.get(progress, db, ada)
  await expect.poll(() => waiting.length).toBe(1)
  state = 'two'
  const second = reads.get(progress, db, ada)
  await expect.poll(() => waiting.length).toBe(2)
  for (const resolve of waiting.splice(0).toReversed()) resolve()
  expect(await Promise.all([first, second])).toEqual(['one', 'two'])
  const third = reads.get(progress, db, ada)
  await expect.poll(() => waiting.length + (reads.counts['user-progress']?.hits ?? 0)).toBe(1)
  for (const resolve of waiting.splice(0)) resolve()
  expect(await third).toBe('two')
  expect(await reads.get(progress, db, ada)).toBe('two')
})

test('a query that failed runs again', async () => {
  const { reads } = someCachedQueries()
  let isBroken = true
  const query = cachedQuery('default', async () => {
    if (isBroken) throw new Error('away')
    return 'there'
  })
  await expect(reads.get(query, db)).rejects.toThrow('away')
  isBroken = false
  expect(await reads.get(query, db)).toBe('there')
})

test('a document is made once a minute, and again after a change', async () => {
  const { reads, state } = someCachedQueries()
  let made = 0
  const make = async () => `map ${(made += 1)}`
  expect([await reads.document('map', make), await reads.document('map', make)]).toEqual(['map 1', 'map 1'])
  state.now += 60_001
  expect(await reads.document('map', make)).toBe('map 2')
  reads.drop()
  expect(await reads.document('map', make)).toBe('map 3')
})
