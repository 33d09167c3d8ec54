import { cpuOf, type BenchServer } from './server.ts'
import type { StudiedCourse } from './studied-course.ts'
import { figureRow, limitRow, logged, type Row } from './table.ts'

/** The small and the large course take turns of this many calls. CPU time is counted in steps of 10 ms, so one call tells nothing. */
const CALLS = 60
const TURNS = 9
const CHANGES = 10

export type Call = (url: string, course: StudiedCourse) => Promise<Response>

export function page(pathOf: (course: StudiedCourse) => string): Call {
  return (url, course) => fetch(`${url}${pathOf(course)}`, { headers: { cookie: course.cookie }, redirect: 'manual' })
}

/** A call for the learners of a small and of a large course, and by how much the large one may cost more. */
export type Growth = {
  readonly name: string
  readonly call: Call
  readonly small: StudiedCourse
  readonly large: StudiedCourse
  readonly sizes: string
  readonly limit: number
}

/** The CPU of server and database for a call, in turns. */
export async function benchGrowth(server: BenchServer, of: Growth): Promise<Row[]> {
  const { name, call, small, large, sizes, limit } = of
  const first = { small: await cpuOfCalls(server, call, small, 1), large: await cpuOfCalls(server, call, large, 1) }
  await cpuOfCalls(server, call, small, CALLS)
  await cpuOfCalls(server, call, large, CALLS)
  const turns: { small: number; large: number }[] = []
  for (let turn = 0; turn < TURNS; turn += 1)
    turns.push({
      small: await cpuOfCalls(server, call, small, CALLS),
      large: await cpuOfCalls(server, call, large, CALLS),
    })
  const mean = (size: 'small' | 'large') => turns.reduce((sum, turn) => sum + turn[size], 0) / TURNS
  const each = (size: 'small' | 'large') => mean(size).toFixed(1)
  return [
    logged(
      figureRow(
        `CPU of ${name}, small / large course (first call)`,
        `${each('small')} ms / ${each('large')} ms (${first.small.toFixed(0)} ms / ${first.large.toFixed(0)} ms)`,
      ),
    ),
    logged(limitRow(`${name}: ${sizes}`, mean('large') / mean('small'), limit, 'times', 2)),
  ]
}

/** The CPU of the first call after each of some finished exams, in turns. */
export async function benchGrowthAfterExam(server: BenchServer, of: Growth): Promise<Row[]> {
  const { name, call, small, large, sizes, limit } = of
  const turns: { small: number; large: number }[] = []
  // The first turn warms up and does not count.
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const sums = { small: 0, large: 0 }
    for (let change = 0; change < CHANGES; change += 1)
      for (const [size, course] of Object.entries({ small, large }) as ['small' | 'large', StudiedCourse][]) {
        await course.finishOne()
        sums[size] += await cpuOfCalls(server, call, course, 1)
      }
    if (turn > 0) turns.push(sums)
  }
  const total = (size: 'small' | 'large') => turns.reduce((sum, turn) => sum + turn[size], 0)
  const each = (size: 'small' | 'large') => (total(size) / turns.length / CHANGES).toFixed(1)
  const what = `the first ${name} after a finished exam`
  return [
    logged(figureRow(`CPU of ${what}, small / large course`, `${each('small')} ms / ${each('large')} ms`)),
    logged(limitRow(`${what}: ${sizes}`, total('large') / total('small'), limit, 'times', 2)),
  ]
}

async function cpuOfCalls(server: BenchServer, call: Call, course: StudiedCourse, count: number): Promise<number> {
  const before = await cpuOf(server.pid)
  for (let number = 0; number < count; number += 1) {
    const reply = await call(server.url, course)
    const text = await reply.text()
    if (reply.status !== 200) throw new Error(`${reply.url}: ${reply.status} ${text.slice(0, 200)}`)
  }
  const after = await cpuOf(server.pid)
  return (after.serverMs - before.serverMs + after.databaseMs - before.databaseMs) / count
}
