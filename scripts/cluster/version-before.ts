import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../src/platform/project-root.server.ts'

const git = (...args: string[]) => spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' })

/**
 * The commit before the newest migration: the version before, as far as the database is concerned. With `stated`, that commit or tag.
 * Null when the history does not reach back to it, as in a shallow clone or a source archive.
 */
export function findVersionBefore(stated?: string): string | null {
  const resolve = (name: string) => git('rev-parse', '--verify', '--quiet', `${name}^{commit}`).stdout?.trim() || null
  if (stated !== undefined) return resolve(stated)
  const newest = git('log', '--diff-filter=A', '--format=%H', '-1', '--', 'src/db/migrations/*.sql').stdout?.trim()
  return newest ? resolve(`${newest}^`) : null
}

/** Writes the files of a commit (only these `paths` when there are some) into a new folder, with the packages of this one. */
export function checkOut(commit: string, folder: string, paths: readonly string[] = []): void {
  mkdirSync(folder, { recursive: true })
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', 'set -o pipefail; git archive "$0" "${@:2}" | tar -x -C "$1"', commit, folder, ...paths],
    { cwd: projectRoot, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`git archive failed: ${stderr}`)
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
}
