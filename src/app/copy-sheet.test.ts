import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../platform/project-root.server.ts'

const modules = import.meta.glob<Record<string, object>>(['../**/*.copy.ts'], { eager: true })

/** Every sentence by its file and key, including those that are not in the sheet. */
const sentences = Object.entries(modules).flatMap(([file, module]) =>
  Object.values(module).flatMap((table) =>
    Object.entries(table).map(([key, text]) => ({ file, key, text: text as unknown })),
  ),
)

test('a sentence that is in the sheet equals it exactly', () => {
  const sheet = readSheet()
  const ours = sentences.filter(({ key }) => sheet.has(key))
  expect(ours.length).toBeGreaterThan(50)
  expect(ours).toEqual(ours.map((sentence) => ({ ...sentence, text: sheet.get(sentence.key) })))
  const written = new Set(ours.map(({ key }) => key))
  const missing = [...sheet.keys()].filter((key) => !written.has(key))
  if (missing.length > 0) process.stdout.write(`Sentences of the sheet in no copy file yet: ${missing.join(', ')}\n`)
})

/** Values with one decimal, such as '1.0 points', are plural in any case. */
const decimals = new Set(['statistics.deviation.value', 'statistics.error'])
/** Verbs and pronouns that end like a plural. */
const noPlurals = /^(is|was|has|as|this|its|ends|counts|keeps|leaves|passes|gross)$/

test('in our own sentences a count agrees with its noun', () => {
  const sheet = readSheet()
  const fixed = sentences.flatMap(({ file, key, text }) => {
    if (typeof text !== 'string' || sheet.has(key) || decimals.has(key)) return []
    const nouns = [...text.matchAll(/\{\w+\} (\w+s|people|children)\b/g)].map(([, noun = '']) => noun)
    return nouns.some((noun) => !noPlurals.test(noun)) ? [`${file} ${key}: ${text}`] : []
  })
  expect(fixed, "write '{n:question|questions}' instead of '{n} questions'").toEqual([])
})

function readSheet(): Map<string, string> {
  const [, ...lines] = readFileSync(join(projectRoot, 'docs/spec/copy.tsv'), 'utf8').trimEnd().split('\n')
  return new Map(lines.map((line) => line.split('\t')).map(([key = '', , text = '']) => [key, text]))
}
