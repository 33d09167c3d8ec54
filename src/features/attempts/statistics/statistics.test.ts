import { expect, test } from 'vitest'
import {
  alphaOf,
  deviationOf,
  discriminationOf,
  facilityOf,
  flagsOf,
  scoreStatistics,
  sortItems,
} from './statistics.ts'
import type { ItemStatistics } from './statistics.schema.ts'

/** docs/statistics.md, "A worked example". */
const example = [
  [1, 1, 1, 1],
  [1, 1, 1, 0],
  [1, 1, 0, 0],
  [1, 0, 1, 0],
  [0, 1, 0, 0],
  [0, 0, 0, 1],
]

function sumsOf(table: number[][]) {
  const totals = table.map((row) => row.reduce((sum, points) => sum + points, 0))
  const add = (values: number[]) => values.reduce((sum, value) => sum + value, 0)
  const items = (table[0] ?? []).map((_, question) => {
    const points = table.map((row) => row[question] ?? 0)
    return {
      points: add(points),
      squares: add(points.map((point) => point ** 2)),
      timesTotal: add(points.map((point, user) => point * (totals[user] ?? 0))),
    }
  })
  return { items, total: { count: table.length, points: add(totals), squares: add(totals.map((one) => one ** 2)) } }
}

const { items, total } = sumsOf(example)

test('the worked example of the docs comes out', () => {
  expect(total).toEqual({ count: 6, points: 13, squares: 35 })
  expect(items.map((item) => facilityOf(item, 6, 1))).toEqual([4 / 6, 4 / 6, 0.5, 2 / 6])
  const discrimination = items.map((item) => discriminationOf(item, total) ?? Number.NaN)
  expect(discrimination[0]).toBeCloseTo(6 / Math.sqrt(168), 12)
  expect(discrimination[1]).toBe(0)
  expect(discrimination[2]).toBeCloseTo(6 / Math.sqrt(180), 12)
  expect(discrimination[3]).toBeCloseTo(-4 / Math.sqrt(328), 12)
  expect(alphaOf(items, total)).toBeCloseTo((4 / 3) * (1 - 33 / 41), 12)
  expect(deviationOf(total)).toBeCloseTo(Math.sqrt(41 / 30), 12)
})

test('the size of the points changes neither shares nor correlations', () => {
  const large = sumsOf(example.map((row) => row.map((points) => points * 60)))
  for (const [place, item] of large.items.entries()) {
    expect(facilityOf(item, 6, 60)).toBe(facilityOf(items[place]!, 6, 1))
    expect(discriminationOf(item, large.total)).toBeCloseTo(discriminationOf(items[place]!, total)!, 12)
  }
  expect(alphaOf(large.items, large.total)).toBeCloseTo(alphaOf(items, total)!, 12)
})

test('without variation there are no statistics', () => {
  const same = sumsOf([
    [1, 0],
    [1, 1],
    [1, 0],
  ])
  expect(same.items.map((item) => discriminationOf(item, same.total))).toEqual([null, null])
  const allRight = sumsOf([
    [1, 1],
    [1, 1],
  ])
  expect(alphaOf(allRight.items, allRight.total)).toBeNull()
  expect(alphaOf(items.slice(0, 1), total)).toBeNull()
  expect(deviationOf({ count: 1, points: 1, squares: 1 })).toBe(0)
})

test('an exam has statistics from the floor on, and none below it', () => {
  const facts = { most: 1, passed: 15 }
  const of = (users: number) => sumsOf(Array.from({ length: users }, (_, at) => example[at % 6] ?? []))
  const few = of(29)
  const enough = of(30)
  expect(scoreStatistics(few.items, few.total, facts)).toBeNull()
  expect(scoreStatistics(enough.items, enough.total, facts)).toMatchObject({ mean: 13 / 24, passRate: 0.5 })
})

test('reasons to review a question are listed gravest first', () => {
  const flags = (facility: number, discrimination: number | null, isKeyDoubtful = false) =>
    flagsOf({ facility, discrimination, isKeyDoubtful })
  expect(flags(0.5, 0.3)).toEqual([])
  expect(flags(0.5, 0.2)).toEqual([])
  expect(flags(0.5, 0.19)).toEqual(['discriminates-badly'])
  expect(flags(0.95, 0.05)).toEqual(['too-easy'])
  expect(flags(0.25, null)).toEqual([])
  expect(flags(0.2, -0.1, true)).toEqual(['key-doubtful', 'discriminates-backwards', 'too-hard'])
})

test('questions are sorted by a number, those without one last in either direction', () => {
  const items = [0.5, null, -0.2, 0.5].map(
    (discrimination, place) => ({ number: place + 1, discrimination }) as ItemStatistics,
  )
  const order = (down: boolean) => sortItems(items, { sort: 'discrimination', down }).map(({ number }) => number)
  expect(order(false)).toEqual([3, 1, 4, 2])
  expect(order(true)).toEqual([1, 4, 3, 2])
})
