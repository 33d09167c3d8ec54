import { expect, test } from 'vitest'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { parseMarkdown, plainText, tableParts } from './markdown.ts'

function tableIn(text: string) {
  const [table] = parseMarkdown(text).children
  if (table?.type !== 'table') throw new Error('the text is no table')
  return tableParts(table)
}

test('the head of a table is as wide as its widest row, and short rows stay short', () => {
  const { head, rows, align } = tableIn('| a |\n| --: |\n| b | c |\n|')
  expect(head.map((cell) => cell.length)).toEqual([1, 0])
  expect(rows.map((cells) => cells.length)).toEqual([2, 1])
  expect(align).toEqual(['right'])
})

test('a table of ten thousand columns is read in time that grows with its size, and is not padded', () => {
  const wide = (columns: number) => `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'|b|\n'.repeat(1000)}`
  const { head, rows } = tableIn(wide(10_000))
  expect(head).toHaveLength(10_000)
  expect(rows.flat()).toHaveLength(1000)
  expect(timeOf(wide(10_000))).toBeLessThan(24 * Math.max(timeOf(wide(1250)), 30))
})

test('text that is nested too deeply is a plain paragraph and takes no time', () => {
  for (const mark of ['> ', '>', '- ', '1. ', '> - ']) {
    const text = `Which?\n\n${mark.repeat(30_000)}a`
    expect(timeOf(text)).toBeLessThan(1000)
    expect(parseMarkdown(text).children).toEqual([{ type: 'paragraph', children: [{ type: 'text', value: text }] }])
  }
  expect(parseMarkdown(`${'> '.repeat(99)}a`).children[0]?.type).toBe('blockquote')
})

test('text with more marks than the parser can take is a plain paragraph and takes no time', () => {
  for (const mark of ['*a_ ', 'a*_b_*', '- a\n  ', '> - a\n', '> a\n', '[a][', '[^a]', '[a](', '![']) {
    const text = mark.repeat(Math.floor(100_000 / mark.length))
    expect(timeOf(text)).toBeLessThan(1000)
    expect(parseMarkdown(text).children).toEqual([{ type: 'paragraph', children: [{ type: 'text', value: text }] }])
  }
  expect(parseMarkdown('*a* '.repeat(900)).children[0]).toHaveProperty('children.0.type', 'emphasis')
})

/** Of the processor, not of the clock: others use the machine too. */
function timeOf(text: string): number {
  const started = process.cpuUsage()
  parseMarkdown(text)
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

test('the beginning of a question in a list has its words without the marks, on one line', () => {
  expect(plainText('Which **two**\n`s3:GetObject` _rules_?\n\n- [one](https://a.example)\n- two\\\nthree')).toBe(
    'Which two s3:GetObject rules? one two three',
  )
  expect(plainText('| a | b |\n| - | - |\n| 1 | 2 * 3 |')).toBe('a b 1 2 * 3')
  expect(plainText('<b>as written</b> 2 < 3')).toBe('<b>as written</b> 2 < 3')
})

test('a line without marks is the paragraph that the parser makes of it', () => {
  const lines = [
    'Which service?',
    '10 GB',
    '3.5 TB (each)',
    'a - b',
    '$5 | $6',
    "it's ~5",
    'a: b!',
    'ü ✓',
    'a]',
    'x  y',
  ]
  const marked = [
    '1. a',
    '- a',
    '+ a',
    '# a',
    '> a',
    '---',
    ' a',
    'a ',
    'a\nb',
    'a_b_',
    '&amp;',
    'a\\',
    '`a`',
    '![a](b)',
    '\0',
  ]
  for (const text of [...lines, ...marked, ...lines.flatMap((line) => marked.map((mark) => `${line}${mark}`))])
    expect({ text, root: withoutPositions(parseMarkdown(text)) }).toEqual({
      text,
      root: withoutPositions(fromMarkdown(text)),
    })
})

const withoutPositions = (node: unknown): unknown =>
  JSON.parse(JSON.stringify(node, (name, value: unknown) => (name === 'position' ? undefined : value)))
