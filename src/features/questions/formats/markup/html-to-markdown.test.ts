import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lostPart, type LostPart } from '../lost-parts.schema.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'
import { markdownToHtml } from './markdown-to-html.ts'

function read(html: string) {
  const lost: LostPart[] = []
  return { text: htmlToMarkdown(html, { lost }), lost }
}

test('a table is written as HTML with headings and alignment, and read again as it was', () => {
  const table =
    '| Store | Cost | `a \\| b` |\n| :-- | --: | --- |\n| [S3](https://aws.example/) | 9 \\| 10 | **x** |\n| EBS |'
  const html = markdownToHtml(`Before\n\n${table}\n\nAfter`)
  expect(html).toBe(
    '<p>Before</p><table><thead><tr><th scope="col" class="qti-align-left">Store</th>' +
      '<th scope="col" class="qti-align-right">Cost</th><th scope="col"><code>a | b</code></th></tr></thead>' +
      '<tbody><tr><td class="qti-align-left"><a href="https://aws.example/">S3</a></td>' +
      '<td class="qti-align-right">9 | 10</td><td><strong>x</strong></td></tr>' +
      '<tr><td class="qti-align-left">EBS</td></tr></tbody></table><p>After</p>',
  )
  expect(read(html)).toEqual({ text: `Before\n\n${table}\n\nAfter`, lost: [] })
})

test('any table comes back from HTML with the same cells', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    '\\|',
    '\\\\',
    '\\a',
    '`',
    '``',
    '**b** ',
    ':',
    '-',
    '<b>',
    '&amp;',
    '![x](/y)',
  )
  const cell = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
  const rowOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const head = fc.array(fc.tuple(cell, fc.constantFrom('---', ':--', ':-:', '--:')), { minLength: 1, maxLength: 4 })
  const row = fc.array(cell, { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(head, fc.array(row, { maxLength: 3 }), (columns, rows) => {
      const table = [['Head', ...columns.map(([text]) => text)], ['---', ...columns.map(([, side]) => side)], ...rows]
      const html = markdownToHtml(table.map(rowOf).join('\n'))
      expect(html).toMatch(/^<table>/)
      const { text, lost } = read(html)
      expect(lost).toEqual([])
      expect(shown(markdownToHtml(text))).toBe(shown(html))
    }),
    { numRuns: 1000 },
  )
})

/** Neighboring blanks are one, and blank code is no code. */
const shown = (html: string) =>
  html
    .replace(/<code> *<[/]code>/g, ' ')
    .replace(/ +/g, ' ')
    .replace(/(?<=<t[hd][^>]*>) | (?=<[/]t[hd]>)/g, '')

test('a foreign table gets its head from its first row, its alignment from attributes or styles, its caption above it', () => {
  const html =
    '<table><caption>Prices</caption><tr><td align="right">a</td><td style="text-align: center">b</td></tr>' +
    '<tr><td><p>c</p></td><td>d</td></tr></table>'
  expect(read(html)).toEqual({ text: 'Prices\n\n| a | b |\n| --: | :-: |\n| c | d |', lost: [] })
})

test('a head that is shorter than the rows gets empty headings', () => {
  expect(read('<table><tr><th>a</th></tr><tr><td>b</td><td>c</td></tr></table>')).toEqual({
    text: '| a |  |\n| --- | --- |\n| b | c |',
    lost: [],
  })
})

test('a table that Markdown cannot hold is read as lines, and this is reported', () => {
  for (const [html, text] of [
    ['<table><tr><th colspan="2">a</th></tr><tr><td>b</td><td>c</td></tr></table>', 'a\n\nb | c'],
    ['<table><tr><th>a</th></tr><tr><td rowspan="2">b</td></tr></table>', 'a\n\nb'],
    ['<table><tr><td>Only</td><td>one row</td></tr></table>', 'Only | one row'],
    ['<table><tr><th>a</th></tr><tr><td><code>b\\|c</code><br>d</td></tr></table>', 'a\n\nb\\\\|c  \nd'],
    ['<table><tr><th>a</th></tr><tr><td>b<br>c</td></tr></table>', 'a\n\nb  \nc'],
    ['<table><tr><th>a</th></tr><tr><td><ul><li>b</li><li>c</li></ul></td></tr></table>', 'a\n\n- b\n- c'],
  ] as const)
    expect(read(html)).toEqual({ text, lost: [lostPart('table')] })
})

test('lines of text that only look like a table stay lines', () => {
  for (const line of ['--- | ---', '|-|-|', ':-', ':-: | -'])
    expect(markdownToHtml(read(`<p>a | b<br/>${line}</p>`).text)).toBe(`<p>a | b<br/>${line}</p>`)
})

test('ten thousand columns and thousands of short rows cost memory and time in proportion to their size', () => {
  const cells = (name: string, count: number) => `<${name}>a</${name}>`.repeat(count)
  const wide = read(`<table><tr>${cells('th', 10_000)}</tr><tr>${cells('td', 10_000)}</tr></table>`).text
  expect(wide.split('\n').map((line) => line.split('|').length - 2)).toEqual([10_000, 10_000, 10_000])
  const short = read(`<table><tr>${cells('th', 5_000)}</tr>${'<tr><td>b</td></tr>'.repeat(5_000)}</table>`).text
  expect(short.length).toBeLessThan(100_000)
  const nested = read('<table><tr><td>'.repeat(30) + 'deep' + '</td></tr></table>'.repeat(30))
  expect(nested.text).toBe('deep')
})

test('what reads like an entity is shown as it is written', () => {
  expect(read('<p>&amp;lt; is shorter than &lt;, and R&amp;D is not</p>').text).toBe(
    '\\&lt; is shorter than <, and R&D is not',
  )
  expect(markdownToHtml('\\&lt;')).toBe('<p>&amp;lt;</p>')
})
