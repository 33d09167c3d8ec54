import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inlineCopy } from '../../scripts/inline-copy.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'src-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** What remains of a page with these lines, which may use the table `copy`. */
async function builtPage(lines: string): Promise<string> {
  const table = `import type { Missing } from './missing.ts'
    const brand = 'Alto'
    export const copy = { 'a.b': 'First', 'a-b': "It's", computed: brand + '!', plain: 'Third', 'unused': 'Fourth' } as const satisfies Record<string, string>
    export type Key = Missing | keyof typeof copy`
  writeFileSync(join(folder, 'page.copy.ts'), table)
  writeFileSync(join(folder, 'page.ts'), `import { copy, type Key } from './page.copy.ts'\n${lines}`)
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    root: folder,
    plugins: [inlineCopy(/page/)],
    build: { write: false, minify: false, lib: { entry: join(folder, 'page.ts'), formats: ['es'] } },
  })) as Rolldown.RolldownOutput[]
  return output[0]?.output[0].code ?? ''
}

test('a page has the sentences whose keys it writes out, and no others', async () => {
  const code = await builtPage(`export const shown = (is: boolean) => [copy['a.b'], copy[is ? 'a-b' : 'plain']]`)
  expect(code).toContain('First')
  expect(code).toContain("It's")
  expect(code).toContain('Third')
  expect(code).not.toContain('Fourth')
})

test('a page that finds a key at run time has the whole table', async () => {
  const code = await builtPage(`export const shown = (key: Key) => [copy['a.b'], copy[key]]`)
  expect(code).toContain('Fourth')
})

test('another variable of the same name is not mistaken for the table', async () => {
  const code = await builtPage(
    `export const shown = (copy: Record<string, string>) => copy['a.b']\nexport const all = copy`,
  )
  expect(code).toMatch(/copy\["a\.b"\]/)
})
