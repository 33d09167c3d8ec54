import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { median, ratioRow, type Row } from './table.ts'

const ROUNDS = 9
const SECONDS = 2

/** The home page for guests, compared with bare node:http that serves the same bytes, alternating. */
export async function benchHome(url: string): Promise<Row[]> {
  const reply = await fetch(url, { headers: { 'accept-encoding': 'br' } })
  await reply.arrayBuffer()
  const raw = await rawBytes(url)
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

/** Starts a separate process, like the app's, so that the server does not share a CPU core with the load. */
async function startBare(body: Buffer): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'altocert-bare-'))
  await writeFile(join(folder, 'body'), body)
  const child = spawn(process.execPath, ['bench/bare-server.mjs', join(folder, 'body')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve) =>
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim())),
  )
  return {
    url,
    async stop() {
      child.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The compressed body; fetch would decompress it. */
async function rawBytes(url: string): Promise<Buffer> {
  const { get } = await import('node:http')
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks)))
    }).on('error', reject)
  })
}
