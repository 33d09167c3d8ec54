import autocannon from 'autocannon'
import { rawReply, startBare } from './bare.ts'
import { median, ratioRow, type Row } from './table.ts'

const ROUNDS = 9
const SECONDS = 2

/** The home page for guests, compared with bare node:http that serves the same bytes, alternating. */
export async function benchHome(url: string): Promise<Row[]> {
  // The second reply comes from the cache.
  await rawReply(url, { 'accept-encoding': 'br' })
  const { body: raw } = await rawReply(url, { 'accept-encoding': 'br' })
  const bare = await startBare(raw)
  const ours: number[] = []
  const machine: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    machine.push(await requestsPerSecond(bare.url))
    ours.push(await requestsPerSecond(url))
  }
  await bare.stop()
  return [
    ratioRow(
      `home for guests against bare node:http (${raw.byteLength} bytes)`,
      median(ours),
      median(machine),
      0.8,
      'requests/s',
    ),
  ]
}

async function requestsPerSecond(url: string): Promise<number> {
  const result = await autocannon({ url, connections: 32, duration: SECONDS, headers: { 'accept-encoding': 'br' } })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return result.requests.average
}
