import { spawn } from 'node:child_process'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { projectRoot } from '../../../src/platform/project-root.server.ts'
import type { Cluster } from '../reference-cluster.ts'
import type { People } from './make-people.ts'

const SCRIPT = 'scripts/cluster/chaos/make-people.ts'
const COUNTS = { takers: 20, submitters: 3, buyers: 400 }

/** Has the users made by the version that the shop runs. */
export async function makePeopleBy(root: string, { directUrl, url, dataDir }: Cluster): Promise<People> {
  if (root !== projectRoot) {
    await mkdir(dirname(join(root, SCRIPT)), { recursive: true })
    await copyFile(join(projectRoot, SCRIPT), join(root, SCRIPT))
  }
  const options = JSON.stringify({ directUrl, url, dataDir, ...COUNTS })
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, options], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', error: '' }
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said.error += chunk.toString()))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`the users could not be made: ${said.error.slice(-2000)}`)
  return JSON.parse(said.out) as People
}
