import { dataFolder, startServer } from './server.ts'
import { figureRow, median, type Row } from './table.ts'

const STARTS = 5

/** The time from the start of the built server to its line `ready`. */
export async function benchStarts(): Promise<Row[]> {
  const folder = await dataFolder()
  const start = async () => {
    const server = await startServer(folder.path)
    await server.stop()
    return server.readyMs
  }
  try {
    const first = await start()
    const others: number[] = []
    for (let round = 0; round < STARTS; round += 1) others.push(await start())
    return [
      figureRow('first start: new database, with seeding of the demo catalogue', `${Math.round(first)} ms`),
      figureRow(`start to ready on an existing database (median of ${STARTS})`, `${Math.round(median(others))} ms`),
    ]
  } finally {
    await folder.remove()
  }
}
