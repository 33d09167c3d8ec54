import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/project-root.server.ts'

/** Sentences that no browser test meets, why no person does, and the test that proves them. */
const unmetBecause: Record<string, { readonly why: string; readonly provenBy: string; readonly test: string }> = {
  'thrown.auth': {
    why: 'it is thrown to whoever writes a page that forgets the provider; each page of ours stands in it',
    provenBy: 'src/features/accounts/ui/auth.test.tsx',
    test: 'useAuth throws outside its provider',
  },
}

const specs = readdirSync(join(projectRoot, 'tests/e2e'))
  .filter((name) => name.endsWith('.spec.ts'))
  .map((name) => whatIsTested(readFileSync(join(projectRoot, 'tests/e2e', name), 'utf8')))

const [, ...lines] = readFileSync(join(projectRoot, 'docs/spec/copy.tsv'), 'utf8').trimEnd().split('\n')
const sheet = lines.map((line) => line.split('\t')).map(([key = '', , text = '']) => ({ key, text }))

test('every sentence of the sheet is met by a browser test, or it is said why a person does not meet it', () => {
  const unmet = sheet.filter(({ text }) => !specs.some((spec) => sentence(text).test(spec))).map(({ key }) => key)
  expect(unmet).toEqual(Object.keys(unmetBecause))
})

test('what no person meets is proven where it is said to be', () => {
  for (const [key, { provenBy, test: name }] of Object.entries(unmetBecause)) {
    const proof = readFileSync(join(projectRoot, provenBy), 'utf8')
    expect(proof).toContain(`test('${name}`)
    expect(proof).toContain(sheet.find((one) => one.key === key)?.text)
  }
})

/** A spec without its comments and the names of its tests: only what is done and expected counts. */
function whatIsTested(spec: string): string {
  return spec
    .replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
    .replaceAll(/^test\((['"`]).*\1/gm, '')
    .replaceAll('\\', '')
}

/** As a test may write it: where the sheet has '{n}', anything short. One word has to stand alone. */
function sentence(text: string): RegExp {
  const pieces = text.split(/\{\w+\}/).map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const whole = pieces.join('.{0,60}?')
  return new RegExp(text.includes(' ') ? String.raw`(?<!\w)${whole}` : `['"\`>/^]${whole}['"\`/$<]`)
}
