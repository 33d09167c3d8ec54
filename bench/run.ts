import { cpus, totalmem } from 'node:os'
import { benchCatalogue } from './catalogue.ts'
import { benchChecks } from './checks.ts'
import { benchCheckout } from './checkout.ts'
import { benchExam } from './exam.ts'
import { benchFormats } from './formats.ts'
import { benchHome } from './home.ts'
import { benchImports } from './imports.ts'
import { benchJavaScript } from './javascript.ts'
import { benchLists } from './lists.ts'
import { benchNumbers } from './numbers.ts'
import { benchPaint } from './paint.ts'
import { benchRealtime } from './realtime.ts'
import { benchSaves } from './saves.ts'
import { build, dataFolder, memoryOf, startServer } from './server.ts'
import { figureRow, median, printTable, type Row } from './table.ts'

const STARTS = 5

/** npm run bench: every figure beside the machine's own limit, in one run. */
async function run() {
  build()
  const folder = await dataFolder()
  const rows: Row[] = []
  try {
    const first = await startServer(folder.path)
    rows.push(figureRow('first start: new database, demo catalogue laid out', `${Math.round(first.readyMs)} ms`))
    await first.stop()
    const starts: number[] = []
    for (let round = 0; round < STARTS; round += 1) {
      const server = await startServer(folder.path)
      starts.push(server.readyMs)
      await server.stop()
    }
    rows.push(
      figureRow(`start to ready on an existing database (median of ${STARTS})`, `${Math.round(median(starts))} ms`),
    )
    const server = await startServer(folder.path)
    const idle = await memoryOf(server.pid)
    rows.push(
      ...(await benchHome(server.url)),
      ...(await benchJavaScript(server.url)),
      ...(await benchPaint(server.url)),
    )
    rows.push(...(await benchSaves(server)))
    const busy = await memoryOf(server.pid)
    rows.push(
      figureRow(
        'memory of the server, after the start / after the load',
        `${Math.round(idle.serverMb)} MB / ${Math.round(busy.serverMb)} MB`,
      ),
      figureRow(
        'memory of the database, after the start / after the load',
        `${Math.round(idle.databaseMb)} MB / ${Math.round(busy.databaseMb)} MB`,
      ),
    )
    rows.push(...(await benchExam(server)), ...(await benchCheckout(server)))
    rows.push(...(await benchRealtime(server)), ...(await benchCatalogue(server)))
    rows.push(...(await benchImports(server)))
    rows.push(...(await benchChecks(server)), ...(await benchLists(server)), ...(await benchNumbers(server)))
    await server.stop()
    rows.push(...benchFormats())
  } finally {
    await folder.remove()
  }
  console.log(
    `\n${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}\n`,
  )
  printTable(rows)
  if (rows.some(({ isMet }) => isMet === false)) process.exitCode = 1
}

await run()
