import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../../src/platform/project-root.server.ts'

export type Replacements = readonly (readonly [from: string | RegExp, to: string])[]

/** Writes a file of `deploy/` with these parts replaced everywhere. Each must occur, so that the file cannot change unnoticed. */
export async function writeDeployFile(name: string, path: string, replacements: Replacements): Promise<void> {
  const written = await readFile(join(projectRoot, 'deploy', name), 'utf8')
  const text = replacements.reduce((text, [from, to]) => {
    const isThere = typeof from === 'string' ? text.includes(from) : from.test(text)
    if (!isThere) throw new Error(`deploy/${name} has no ${from}`)
    return typeof from === 'string' ? text.replaceAll(from, to) : text.replace(from, to)
  }, written)
  await writeFile(path, text)
}
