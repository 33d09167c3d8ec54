import { expect, test } from 'vitest'
import { aDatabase } from '../../../tests/support/test-database.ts'
import type { UserId } from '../../lib/ids.ts'
import { CachedQueries, cachedQuery, userQuery } from './cached-queries.server.ts'

const { db } = await aDatabase()

/** A read that counts, and answers when it is let. */
function aRead() {
  let reads = 0
  const waiting: (() => void)[] = []
  const kept = cachedQuery('course-detail', async (_db, slug: string) => {
    reads += 1
    const number = reads
    await new Promise<void>((resolve) => waiting.push(resolve))
    return `${slug} ${number}`
  })
  const answer = () => {
    for (const one of waiting.splice(0)) one()
  }
  return { kept, answer, count: () => reads }
}

function someCachedQueries() {
  const state = { isUp: true, now: 1 }
  return { state, reads: new CachedQueries({ isUp: () => state.isUp, now: () => state.now }) }
}

test('what was read is given again until the catalogue changes, and those who ask at once share one read', async () => {
  const { reads } = someCachedQueries()
  const { kept, answer, count } = aRead()
  const both = [reads.get(kept, db, 'a'), reads.get(kept, db, 'a')]
  answer()
  expect(await Promise.all(both)).toEqual(['a 1', 'a 1'])
  expect(await reads.get(kept, db, 'a')).toBe('a 1')
  expect(count()).toBe(1)
  reads.drop()
  const after = reads.get(kept, db, 'a')
  answer()
  expect(await after).toBe('a 2')
  expect(reads.counts).toEqual({ 'course-detail': { hits: 1, misses: 3 } })
})

test('a read that was under way during a change is not kept, and not shared with who asks after the change', async () => {
  const { reads } = someCachedQueries()
  const { kept, answer, count } = aRead()
  const before = reads.get(kept, db, 'a')
  reads.drop()
  const after = reads.get(kept, db, 'a')
  answer()
  expect([await before, await after]).toEqual(['a 1', 'a 2'])
  expect(await reads.get(kept, db, 'a')).toBe('a 2')
  expect(count()).toBe(2)
})

test('while changes cannot be heard, everything is read afresh', async () => {
  const { reads, state } = someCachedQueries()
  const { kept, answer, count } = aRead()
  const first = reads.get(kept, db, 'a')
  answer()
  await first
  state.isUp = false
  const second = reads.get(kept, db, 'a')
  answer()
  expect(await second).toBe('a 2')
  expect(count()).toBe(2)
})

test('what is kept of a person goes when something of theirs changes, and nothing of anybody else', async () => {
  const { reads } = someCachedQueries()
  const [ada, ben] = ['ada', 'ben'] as UserId[] as [UserId, UserId]
  const asked: string[] = []
  const gates: (() => void)[] = []
  const periods = userQuery('user-courses', async (_db, userId) => {
    asked.push(userId)
    await new Promise<void>((resolve) => gates.push(resolve))
    return `${userId} ${asked.length}`
  })
  const course = cachedQuery('course', (_db, slug: string) => Promise.resolve(slug))
  const open = () => {
    for (const gate of gates.splice(0)) gate()
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
  expect(asked).toEqual(['ada', 'ben', 'ada', 'ada'])
  expect(await reads.get(periods, db, ada)).toBe('ada 4')
  expect(asked).toHaveLength(4)
})

test('what has a state is given while that is what it was, and never shared with who asks at another state', async () => {
  const { reads } = someCachedQueries()
  const ada = 'ada' as UserId
  let state = 'one'
  const gates: (() => void)[] = []
  const progress = userQuery(
    'user-progress',
    async () => {
      const seen = state
      await new Promise<void>((resolve) => gates.push(resolve))
      return seen
    },
    () => Promise.resolve(state),
  )
  const first = reads.get(progress, db, ada)
  await expect.poll(() => gates.length).toBe(1)
  state = 'two'
  const second = reads.get(progress, db, ada)
  await expect.poll(() => gates.length).toBe(2)
  for (const gate of gates.splice(0).toReversed()) gate()
  expect(await Promise.all([first, second])).toEqual(['one', 'two'])
  const third = reads.get(progress, db, ada)
  await expect.poll(() => gates.length + (reads.counts['user-progress']?.hits ?? 0)).toBe(1)
  for (const gate of gates.splice(0)) gate()
  expect(await third).toBe('two')
  expect(await reads.get(progress, db, ada)).toBe('two')
})

test('a read that failed is tried again', async () => {
  const { reads } = someCachedQueries()
  let isBroken = true
  const kept = cachedQuery('default', async () => {
    if (isBroken) throw new Error('away')
    return 'there'
  })
  await expect(reads.get(kept, db)).rejects.toThrow('away')
  isBroken = false
  expect(await reads.get(kept, db)).toBe('there')
})

test('a document is made once a minute, and anew after a change', async () => {
  const { reads, state } = someCachedQueries()
  let made = 0
  const make = async () => `map ${(made += 1)}`
  expect([await reads.document('map', make), await reads.document('map', make)]).toEqual(['map 1', 'map 1'])
  state.now += 60_001
  expect(await reads.document('map', make)).toBe('map 2')
  reads.drop()
  expect(await reads.document('map', make)).toBe('map 3')
})
