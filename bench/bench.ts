import { cpus, loadavg, totalmem } from 'node:os'
import { benchCalibration } from './calibration.ts'
import { benchCatalogue } from './catalogue-lists.ts'
import { benchChecks } from './checks.ts'
import { benchCheckout } from './checkout.ts'
import { benchCost } from './cost.ts'
import { benchCosts } from './costs.ts'
import { benchDrawnExams } from './draws.ts'
import { benchExam } from './exam.ts'
import { benchFirstQuestion } from './first-question.ts'
import { benchFlat } from './flat.ts'
import { benchFreshness } from './freshness-queue.ts'
import { benchHome } from './home.ts'
import { benchImports, benchMixedImports } from './import-formats.ts'
import { benchJavaScript } from './javascript.ts'
import { benchLists } from './lists.ts'
import { benchMemoryFit } from './fitted-memory.ts'
import { benchNumbers } from './numbers.ts'
import { benchPaint } from './paint.ts'
import { benchPresses } from './presses.ts'
import { benchProgressPage } from './progress-page.ts'
import { benchRealtime } from './realtime-listeners.ts'
import { benchSaves } from './saves.ts'
import { build, dataFolder, memoryOf, startServer, type BenchServer } from './server.ts'
import { benchSignedIn } from './signed-in.ts'
import { benchStarts } from './starts.ts'
import { benchTelemetry } from './telemetry.ts'
import { benchWorkers } from './workers.ts'
import { failedRow, figureRow, printTable, type Row } from './table.ts'

type Bench = (server: BenchServer) => Row[] | Promise<Row[]>

/** Benches that share one shop, in this order. */
const inOneShop: Record<string, Bench> = {
  home: ({ url }) => benchHome(url),
  'signed-in': benchSignedIn,
  javascript: ({ url }) => benchJavaScript(url),
  paint: benchPaint,
  presses: benchPresses,
  saves: async (server) => {
    const idle = await memoryOf(server.pid)
    return [...(await benchSaves(server)), ...memoryRows(idle, await memoryOf(server.pid))]
  },
  exam: benchExam,
  question: benchFirstQuestion,
  checkout: benchCheckout,
  realtime: benchRealtime,
  catalogue: benchCatalogue,
  checks: benchChecks,
}
/** Benches that fill a shop with many rows. Each gets its own, so that the rows do not affect the others. */
const inOwnShop: Record<string, Bench> = {
  imports: benchImports,
  'mixed-imports': benchMixedImports,
  lists: benchLists,
  numbers: benchNumbers,
  flat: benchFlat,
  'progress-page': benchProgressPage,
  'memory-fit': benchMemoryFit,
  costs: benchCosts,
}
const withoutShop: Record<string, () => Row[] | Promise<Row[]>> = {
  calibration: benchCalibration,
  'drawn-exams': benchDrawnExams,
  freshness: benchFreshness,
  starts: benchStarts,
  cost: benchCost,
  workers: benchWorkers,
  telemetry: benchTelemetry,
}

/**
 * npm run bench: lists the benches, runs them all, and prints each figure beside its bound and beside what the machine itself can do;
 * with names, only those benches.
 */
async function run(names: readonly string[]) {
  const known = [withoutShop, inOneShop, inOwnShop].flatMap((benches) => Object.keys(benches))
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: not one of ${known.join(', ')}`)
  const selected = <Of>(benches: Record<string, Of>) =>
    Object.entries(benches).filter(([name]) => names.length === 0 || names.includes(name))
  console.error(`benches: ${(names.length === 0 ? known : names).join(', ')}`)
  build()
  const rows: Row[] = []
  for (const [name, bench] of selected(withoutShop)) rows.push(...(await measured(name, bench)))
  await inShop(selected(inOneShop), rows)
  for (const entry of selected(inOwnShop)) await inShop([entry], rows)
  console.log(
    `\n${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}\n`,
  )
  printTable(rows)
  if (rows.some(({ isMet }) => isMet === false)) process.exitCode = 1
}

async function inShop(benches: readonly [string, Bench][], rows: Row[]): Promise<void> {
  if (benches.length === 0) return
  const folder = await dataFolder()
  try {
    const server = await startServer(folder.path)
    for (const [name, bench] of benches) rows.push(...(await measured(name, () => bench(server))))
    await server.stop()
  } finally {
    await folder.remove()
  }
}

/** A bench that fails becomes a row, so that the others still run. */
async function measured(name: string, bench: () => Row[] | Promise<Row[]>): Promise<Row[]> {
  const startedAt = performance.now()
  const before = loadavg()[0] ?? 0
  let rows: Row[]
  try {
    rows = await bench()
  } catch (error) {
    console.error(error)
    rows = [failedRow(name, error)]
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.error(`${name}: ${seconds} s, load of the machine before it ${before.toFixed(1)}`)
  return rows
}

type Memory = Awaited<ReturnType<typeof memoryOf>>

function memoryRows(idle: Memory, busy: Memory): Row[] {
  const text = (before: number, after: number) => `${Math.round(before)} MB / ${Math.round(after)} MB`
  return [
    figureRow('memory of the server, before / after the saves', text(idle.serverMb, busy.serverMb)),
    figureRow('memory of the database, before / after the saves', text(idle.databaseMb, busy.databaseMb)),
  ]
}

await run(process.argv.slice(2))
