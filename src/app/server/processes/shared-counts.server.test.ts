import { expect, test } from 'vitest'
import type { Figure } from '../../../platform/metrics.server.ts'
import { SharedFigures } from './shared-figures.server.ts'
import { SharedStreams } from './shared-streams.server.ts'

const replies = (count: number): Figure => ({
  name: 'replies',
  kind: 'counter',
  help: '',
  values: [[{ status: '2xx' }, count]],
})
const memory = (bytes: number): Figure => ({ name: 'memory', kind: 'gauge', help: '', values: [[{}, bytes]] })
const delay = (seconds: number): Figure => ({ ...memory(seconds), name: 'delay', isLargest: true })
const valuesOf = (figures: readonly Figure[]) =>
  Object.fromEntries(figures.map(({ name, values }) => [name, values[0]?.[1]]))

test('figures of workers are added up, delays are the largest, and what an ended worker has counted stays', async () => {
  const shared = new SharedFigures()
  const all = await shared.collect([1, 2], (worker, id) =>
    shared.answered(worker, id, [replies(worker * 10), memory(worker), delay(worker)]),
  )
  expect(valuesOf(all)).toEqual({ replies: 30, memory: 3, delay: 2 })
  shared.answered(1, null, [replies(15), memory(1), delay(1)])
  shared.forget(1)
  const later = await shared.collect([2], (worker, id) =>
    shared.answered(worker, id, [replies(21), memory(5), delay(0)]),
  )
  expect(valuesOf(later)).toEqual({ replies: 36, memory: 5, delay: 0 })
})

test('a worker that ends instead of answering holds nobody up', async () => {
  const shared = new SharedFigures()
  const all = await shared.collect([1, 2], (worker, id) =>
    worker === 1 ? shared.forget(1) : shared.answered(2, id, [replies(2)]),
  )
  expect(valuesOf(all)).toEqual({ replies: 2 })
})

test('streams of all workers count together: a user loses the oldest, and every worker hears the count of a network', () => {
  const ended: [number, string][] = []
  const counts: [string, number][] = []
  const streams = new SharedStreams({
    perUser: 2,
    tellCount: (network, count) => counts.push([network, count]),
    endOldest: (worker, userId) => ended.push([worker, userId]),
  })
  const ana = { network: 'home', userId: 'ana' }
  streams.opened(1, ana)
  streams.opened(2, ana)
  streams.opened(2, { network: 'home', userId: null })
  expect(ended).toEqual([])
  streams.opened(2, ana)
  expect(ended).toEqual([[1, 'ana']])
  streams.closed(1, ana)
  expect(counts.at(-1)).toEqual(['home', 3])
  streams.forget(2)
  expect(counts.at(-1)).toEqual(['home', 0])
  expect(streams.counts()).toEqual([])
  streams.opened(1, ana)
  streams.opened(1, ana)
  expect(ended).toHaveLength(1)
})
