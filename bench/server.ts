import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../src/app/server/free-port.server.ts'

export type BenchServer = {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  readonly readyMs: number
  stop(): Promise<void>
}

/** A bench is one network address with few users, who do the work of thousands. */
const HIGH_LIMITS = ['checkout', 'coupon', 'search', 'export', 'import', 'payment', 'account', 'guest', 'stream']
  .map((name) => `${name}=1000000`)
  .join(',')

/** Creates a temporary data folder that the database's user may enter. */
export async function dataFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'altocert-bench-'))
  await chmod(path, 0o755)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

export function build(): void {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', '--build-only'], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the build failed: ${stderr}`)
}

/** Starts the built server as `npm start` does; `readyMs` is the time from the spawn to its line `ready`. */
export async function startServer(dataDir: string, environment: Record<string, string> = {}): Promise<BenchServer> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['build/server/index.js'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      LIMITS: HIGH_LIMITS,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await until(child, 'ready ')
  return {
    url: `http://localhost:${port}`,
    pid: child.pid ?? 0,
    dataDir,
    readyMs: performance.now() - startedAt,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

function until(child: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      // Later output consists of warnings; show them.
      if (printed.includes(words)) process.stderr.write(chunk)
      else printed += chunk.toString()
      if (printed.includes(words)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${printed}`)))
  })
}

/** Resident memory of the server and its database processes in MB. Shared pages are counted once (Pss). */
export async function memoryOf(pid: number): Promise<{ serverMb: number; databaseMb: number }> {
  return { serverMb: await serverMbOf(pid), databaseMb: await sumOf(databaseProcesses(pid), residentMb) }
}

/** Like `memoryOf`, without the database; cheap enough to call often. */
export async function serverMbOf(pid: number): Promise<number> {
  return sumOf(await serverProcesses(pid), residentMb)
}

/** The CPU time so far of the server, its database, and this process, which generates the load. */
export async function cpuOf(pid: number): Promise<{ serverMs: number; databaseMs: number; loadMs: number }> {
  const { user, system } = process.cpuUsage()
  return {
    serverMs: await sumOf(await serverProcesses(pid), cpuMs),
    databaseMs: await sumOf(databaseProcesses(pid), cpuMs),
    loadMs: (user + system) / 1000,
  }
}

async function sumOf(pids: readonly number[], figureOf: (pid: number) => Promise<number>): Promise<number> {
  return (await Promise.all(pids.map(figureOf))).reduce((total, figure) => total + figure, 0)
}

/** The server and its workers. */
async function serverProcesses(pid: number): Promise<number[]> {
  try {
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
      .split(' ')
      .filter(Boolean)
      .map(Number)
    const names = await Promise.all(children.map((child) => readFile(`/proc/${child}/comm`, 'utf8')))
    return [pid, ...children.filter((_, at) => names[at]?.startsWith('postgres') === false)]
  } catch {
    // A worker ended between the two reads.
    return [pid]
  }
}

function databaseProcesses(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' })
  const all = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([id, parent, name]) => ({ id: Number(id), parent: Number(parent), name: name ?? '' }))
  const below = (root: number): number[] =>
    all.filter(({ parent }) => parent === root).flatMap(({ id }) => [id, ...below(id)])
  const roots = all.filter(({ parent, name }) => parent === pid && name.startsWith('postgres')).map(({ id }) => id)
  return roots.flatMap((id) => [id, ...below(id)])
}

const TICK_MS = 10

/** The CPU time of a process and its ended children. */
async function cpuMs(pid: number): Promise<number> {
  try {
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? []
    return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks) * TICK_MS, 0)
  } catch {
    return 0
  }
}

async function residentMb(pid: number): Promise<number> {
  try {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
