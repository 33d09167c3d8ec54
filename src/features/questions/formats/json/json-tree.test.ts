import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJson } from './json-tree.ts'

const question = (id: number) => `{"id": "${id}",\n"question": "Which?"}`

test('a broken object of a list costs only itself, and is reported once', () => {
  for (const broken of ['{"id": "2"\n"question": "Which?"}', '{"id": "2",\n"question" "Which?"}', '{"id": "2", x}']) {
    const { value, problems, lineOf, broken: parts } = readJson(`[${question(1)},\n${broken},\n${question(3)}]`)
    expect(problems).toHaveLength(1)
    if (!Array.isArray(value)) throw new Error('the text was not read as a list')
    expect(value.map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(value.filter((part) => parts.has(part))).toEqual([value[1]])
    expect(lineOf(value[2])).toBe(broken.includes('\n') ? 5 : 4)
  }
})

test('a cut or a foreign character never makes an object appear twice', () => {
  const ids = Array.from({ length: 8 }, (_, at) => String(at))
  const text = `[${ids.map((id) => question(Number(id))).join(',\n')}]`
  fc.assert(
    fc.property(
      fc.nat(text.length),
      fc.nat(20),
      fc.constantFrom('', '{', '}', '[', ']', '"', ',', ':'),
      (at, cut, put) => {
        const { value } = readJson(text.slice(0, at) + put + text.slice(at + cut))
        const read = Array.isArray(value) ? value.flatMap((part: { id?: unknown } | null) => part?.id ?? []) : []
        const whole = read.filter((id) => ids.includes(String(id)))
        expect(whole).toEqual([...new Set(whole)])
      },
    ),
    { numRuns: 2000 },
  )
})
