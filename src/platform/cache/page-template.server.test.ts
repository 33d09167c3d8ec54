import { gunzipSync } from 'node:zlib'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { compressPage, PageTemplate } from './page-template.server.ts'

const MARKS = { email: 'mark-of-an-address', name: 'mark-of-a-name' } as const

const HOSTILE = [
  'Ann',
  `"'<>&\`\\ /`,
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '\u2028\u2029 \u0000\n\t',
  'Zoë 👩‍💻 \ud800',
  '$& $1 $$',
  MARKS.name,
  'x'.repeat(5000),
]

/** A page as React and the server write it: text, an attribute, data as text of JSON, and a script. */
function pageOf(name: string, email: string) {
  const markup = renderToString(createElement('p', { title: name }, email, ' is ', createElement('b', null, name)))
  const data = JSON.stringify([{ _1: 2 }, 'user', name, 'email', email]).replaceAll('<', String.raw`\u003c`)
  return {
    html: `<html>${markup}<script>start()</script><script type="text/plain">${data}</script>${'<i>same</i>'.repeat(500)}</html>`,
    policy: "script-src 'self' 'sha256-x'",
  }
}

test('a filled page is what rendering it for this user gives, and has the policy of all', () => {
  const template = new PageTemplate(pageOf(MARKS.name, MARKS.email), [MARKS.email, MARKS.name])
  for (const name of HOSTILE)
    for (const email of HOSTILE) {
      const { gzip, policy } = template.fillIn(
        new Map([
          [MARKS.email, email],
          [MARKS.name, name],
        ]),
      )
      // React writes half a surrogate pair as it is; as UTF-8 it becomes U+FFFD either way.
      const direct = pageOf(name, email)
      expect(gunzipSync(gzip).toString()).toBe(Buffer.from(direct.html).toString())
      expect(policy).toBe(direct.policy)
    }
})

test('a page without marks is sent as it was rendered', async () => {
  const page = { html: '<p>äöü</p>'.repeat(1000), policy: "script-src 'self'" }
  const template = new PageTemplate(page, ['mark'])
  expect(gunzipSync(template.fillIn(new Map([['mark', 'x']])).gzip).toString()).toBe(page.html)
  expect(gunzipSync((await compressPage(page)).gzip).toString()).toBe(page.html)
})
