import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The embedded server's main process; null when none is running. */
export function findPostmaster(dataDir: string): number | null {
  try {
    const folder = join(dataDir, 'postgres/cluster')
    const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    // A dead server leaves the file, and another program may have its number by now.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0${folder}\0`) ? pid : null
  } catch {
    return null
  }
}

/** The process and all below it. */
export function processesOf(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
      parents.set(Number(name), Number(parent))
    } catch {
      // It ended meanwhile.
    }
  const below = (pid: number): number[] =>
    [...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...below(child)])
  return [root, ...below(root)]
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended meanwhile.
  }
}
