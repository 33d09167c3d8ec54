import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { readBank } from '../features/questions/formats/bank.ts'
import { Markdown } from './markdown-text.tsx'

const html = (text: string, as: 'flow' | 'phrasing' = 'flow') => renderToStaticMarkup(<Markdown text={text} as={as} />)

test('paragraphs, lists, code and emphasis become elements', () => {
  const page = html('A *b* **c** `d`\n\n- one\n- two\n\n```json\n{"a": 1}\n```')
  for (const part of ['<em>b</em>', '<strong>c</strong>', '>d</code>', '<li>one</li>', '<pre', '{&quot;a&quot;: 1}'])
    expect(page).toContain(part)
})

test('HTML is shown as text and never run', () => {
  for (const text of [
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '<b>bold</b>',
    '<!-- hidden -->',
  ]) {
    const page = html(text)
    expect(page).not.toMatch(/<(script|img|b)\b/)
    expect(page).toContain('&lt;')
  }
  expect(html('Use the <account-id> of the role')).toContain('&lt;account-id&gt;')
})

test('links lead to the web only, and images come from this site only', () => {
  expect(html('[docs](https://docs.aws.amazon.com/)')).toContain('rel="noreferrer"')
  for (const text of ['[x](javascript:alert(1))', '[x](/admin)', '[x](data:text/html,1)', '[x](mailto:a@b.example)'])
    expect(html(text)).not.toContain('<a')
  const address = `/pictures/${'0a'.repeat(32)}.webp`
  for (const own of [address, address.replace('.webp', '.svg')])
    expect(html(`![A diagram](${own})`)).toContain(`<img src="${own}" alt="A diagram"`)
  for (const text of [
    '![x](https://evil.example/x.png)',
    '![x](//evil.example/x)',
    '![x](/pictures/vpc.svg)',
    '![x](/api/auth/sign-out)',
    `![x](//evil.example${address})`,
    '![x](/\\evil.example)',
    '![x](data:,)',
  ])
    expect(html(text)).not.toContain('<img')
  expect(html('![A diagram](https://elsewhere.example/x.png)')).toMatch(/<a href="https:.*>A diagram<\/a>/)
})

test('what is given for a gap stands in its place in text and code, but not in links; otherwise the gap is text', () => {
  const text = 'a [[1]] `b [[2]]` [c [[3]]](https://x.example) [[9]]\n\n```\nd [[4]]\n```'
  const filled = renderToStaticMarkup(<Markdown text={text} renderGap={(number) => <b>{number}</b>} />)
  expect(filled.replaceAll(/<(?!\/?b>)[^>]*>/g, '')).toBe('a <b>1</b> b <b>2</b> c [[3]] [[9]]d <b>4</b>')
  expect(html(text).replaceAll(/<[^>]*>/g, '')).toBe('a [[1]] b [[2]] c [[3]] [[9]]d [[4]]')
})

test('a table has headings for its columns and the alignment of each', () => {
  const page = html('| Store | Cost |\n| --- | --: |\n| **S3** | 9 |')
  expect(page).toContain('<table')
  expect(page).toMatch(/<th scope="col" class="[^"]*text-left[^"]*">Store<\/th>/)
  expect(page).toMatch(/<th scope="col" class="[^"]*text-right[^"]*">Cost<\/th>/)
  expect(page).toMatch(/<td class="[^"]*"><strong>S3<\/strong><\/td><td class="[^"]*text-right[^"]*">9<\/td>/)
})

test('in labels and legends a table consists of spans with the roles of a table', () => {
  const page = html('| Store | Cost |\n| --- | --: |\n| S3 | 9 |', 'phrasing')
  const roles = [...page.matchAll(/<(\w+)[^>]* role="(\w+)"/g)].map(([, name, role]) => `${name} ${role}`)
  expect(roles).toEqual(
    ['table', 'rowgroup', 'row', 'columnheader', 'columnheader', 'rowgroup', 'row', 'cell', 'cell'].map(
      (role) => `span ${role}`,
    ),
  )
})

test('the tables in the questions of the catalogue are shown as tables', () => {
  const file = 'content/aws-certified-machine-learning-engineer-associate/practice-exam-1.md'
  const questions = [...readBank([{ path: file, bytes: readFileSync(file) }])].flatMap((step) =>
    step.kind === 'question' && step.question.question ? [step.question.question] : [],
  )
  const tables = questions.flatMap(({ stem, explanation }) =>
    [stem, explanation].filter((text) => /^\|[ :|-]+\|$/m.test(text)),
  )
  expect(tables.length).toBeGreaterThan(5)
  for (const text of tables) expect(html(text)).toMatch(/<table.*<th scope="col".*<td/)
})

test('unsupported Markdown is shown as written', () => {
  expect(html('[a][b]\n\n[b]: https://docs.example.com/')).toContain('[b]: https://docs.example.com/')
})

test('phrasing renders only elements that labels and legends may contain', () => {
  const piece = fc.constantFrom(
    '# h\n',
    '> q\n',
    '- i\n',
    '1. n\n',
    '```\ncode\n```\n',
    '***\n',
    '<p>x</p>\n',
    'text ',
    '\n\n',
    '    ind\n',
    '| a | b |\n| - | - |\n| c |\n',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const elements = html(pieces.join(''), 'phrasing').matchAll(/<(\w+)/g)
      for (const [, name] of elements) expect(['span', 'strong', 'em', 'code', 'br', 'a', 'img']).toContain(name)
    }),
  )
})

test('text without markup is shown completely', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ,.?()']{0,79}$/), (text) => {
      const shown = html(text)
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll('&#x27;', "'")
      expect(shown.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
    }),
  )
})
