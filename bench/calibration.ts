import { setImmediate } from 'node:timers/promises'
import { calibrateItems, type CalibrationResponses } from '../src/features/study/readiness/item-calibration.ts'
import { LABEL_DIFFICULTY } from '../src/features/study/readiness/readiness.ts'
import { simulateResponses } from '../src/features/study/readiness/simulated-responses.fixture.ts'
import { figureRow, limitRow, logged, type Row } from './table.ts'

const SIZE = { persons: 2_000, items: 2_000, each: 100, seed: 19 }
const LIMIT_SECONDS = 60
/** A slice in CPU time, with what the engine's collector and compiler do meanwhile. */
const SLICE_MS = 100

/** Calibrating 2,000 questions from 200,000 responses in memory, beside a twin that only reads the responses and sums them. */
export async function benchCalibration(): Promise<Row[]> {
  const { responses, items } = simulateResponses(SIZE)
  const twin = timed(() => sumOf(responses)).ms
  const work = calibrateItems(responses, items, { labels: LABEL_DIFFICULTY })
  let [total, longest, slices] = [0, 0, 0]
  for (;;) {
    const { result, ms } = timed(() => work.next())
    total += ms
    longest = Math.max(longest, ms)
    slices++
    if (result.done === true) break
    await setImmediate()
  }
  const beside = `${(total / Math.max(1, twin)).toFixed(0)} times reading and summing (${twin.toFixed(0)} ms), ${slices} slices`
  return [
    logged(limitRow('calibrating 2,000 questions from 200,000 responses (CPU)', total / 1000, LIMIT_SECONDS, 's')),
    logged(limitRow('its longest slice (CPU)', longest, SLICE_MS, 'ms')),
    logged(figureRow('beside a twin', beside)),
  ]
}

function sumOf({ persons, items, isRight }: CalibrationResponses): number {
  return persons.reduce((sum, person, place) => sum + person + items[place]! + isRight[place]!, 0)
}

/** A result with the CPU time that it took. */
function timed<Result>(run: () => Result): { result: Result; ms: number } {
  const before = process.cpuUsage()
  const result = run()
  const { user, system } = process.cpuUsage(before)
  return { result, ms: (user + system) / 1000 }
}
