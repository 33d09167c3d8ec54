import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/project-root.server.ts'

const folder = await mkdtemp(join(tmpdir(), 'altocert-scaling-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs `npm run scaling -- --check` in a folder with the page and the figures. */
function check(root: string) {
  const script = join(projectRoot, 'scripts/scaling.ts')
  const args = ['--import', import.meta.resolve('tsx'), script, '--check']
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
}

test('the numbers in docs/scaling.md are those that were measured, and another number would be found', async () => {
  expect(check(projectRoot)).toMatchObject({ status: 0, stderr: '' })
  for (const name of ['docs/scaling.md', 'docs/scaling-measured.json', 'package.json', '.prettierrc.json'])
    cpSync(join(projectRoot, name), join(folder, name))
  const page = join(folder, 'docs/scaling.md')
  const written = await readFile(page, 'utf8')
  const changed = written.replace(/(\| a save +\| )\d/, '$19')
  expect(changed).not.toBe(written)
  await writeFile(page, changed)
  expect(check(folder)).toMatchObject({ status: 1, stderr: 'docs/scaling.md is stale: run npm run scaling.\n' })
})
