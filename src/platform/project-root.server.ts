import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the checkout: the nearest one above this file, bundled or not, that holds package.json and src. */
export const projectRoot = findRoot(import.meta.dirname)

function findRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'src'))) return folder
    if (folder === dirname(folder)) return process.cwd()
  }
}
