import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Starts bare node:http with these bytes, as a process of its own like the app's: it shares no CPU core with the load. */
export async function startBare(body: Buffer): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
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
    pid: child.pid ?? 0,
    async stop() {
      child.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The body as it is sent; fetch would decompress it. */
export async function rawReply(
  url: string,
  headers: Record<string, string>,
): Promise<{ body: Buffer; encoding: string }> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        if (response.statusCode !== 200) return reject(new Error(`${url}: status ${response.statusCode}`))
        resolve({ body: Buffer.concat(chunks), encoding: response.headers['content-encoding'] ?? 'identity' })
      })
    }).on('error', reject)
  })
}
