import { expect, test } from 'vitest'
import { delayScripts } from './late-scripts.ts'

/** The end of a page as React Router renders it, and the place that root.tsx leaves for the data. */
const page = (data: string) =>
  `<p>Text</p><script type="text/plain" id="page-data">${data}</script><link rel="modulepreload" href="/a.js" nonce="n"/><link rel="modulepreload" href="/b.js"/><script nonce="n">window.__reactRouterContext = {"ssr":true};window.__reactRouterContext.stream = new ReadableStream({}).pipeThrough(new TextEncoderStream());</script><script nonce="n" type="module" async="">import "/a.js";</script>`

test('the router’s scripts are sent as texts, with the files that they load, and no file is requested for them', () => {
  const html = delayScripts(page(''), '')
  expect(html).not.toContain('modulepreload')
  expect([...html.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)).toEqual([
    ' type="text/plain" id="page-data"',
    ' nonce="n" type="text/plain" data-late=""',
    ' nonce="n" type="text/plain" id="page-modules" data-files="/a.js /b.js"',
  ])
})

test('the data of a page is text of JSON that cannot end its element, and the router gets it whole', () => {
  const data = JSON.stringify(['</script><script>alert(1)</script>', '<!--', '$& $1'])
  const html = delayScripts(page(''), data)
  const written = /id="page-data">(.*?)<\/script>/.exec(html)?.[1] ?? ''
  expect(written).not.toContain('<')
  expect(JSON.parse(written)).toEqual(JSON.parse(data))
  expect(html).toMatch(/TextEncoderStream\(\)\);;\(function\(to\)\{to\.enqueue\(.*to\.close\(\)/)
})

test('a page that shows the router’s own code gets its data all the same', () => {
  const shown = '<pre>new ReadableStream({}).pipeThrough(new TextEncoderStream());</pre>'
  const html = delayScripts(shown + page(''), '1')
  expect(html.startsWith(shown)).toBe(true)
  expect(html).toMatch(/TextEncoderStream\(\)\);;\(function\(to\)\{to\.enqueue\(.*to\.close\(\)/)
})
