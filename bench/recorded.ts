import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../src/platform/project-root.server.ts'

/** What the plan in docs/scaling.md is computed from. */
export const RECORDED = join(projectRoot, 'docs/scaling-measured.json')

/** With BENCH_RECORD=1, keeps what was measured for docs/scaling.md; `npm run scaling` then writes its tables. */
export async function record(name: string, measured: unknown): Promise<void> {
  if (process.env['BENCH_RECORD'] !== '1') return
  const before = JSON.parse(await readFile(RECORDED, 'utf8').catch(() => '{}')) as Record<string, unknown>
  const machine = {
    day: new Date().toISOString().slice(0, 10),
    cores: cpus().length,
    processor: cpus()[0]?.model.trim(),
    node: process.version,
    load: Number(loadavg()[1]?.toFixed(1)),
  }
  await writeFile(RECORDED, `${JSON.stringify({ ...before, [name]: { machine, measured } }, null, 2)}\n`)
}
