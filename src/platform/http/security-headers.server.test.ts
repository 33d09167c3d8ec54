import { expect, test } from 'vitest'
import { contentSecurityPolicy, hashInlineScripts } from './security-headers.server.ts'

test('only scripts with the nonce may run', () => {
  const page =
    '<script nonce="n1">ours()</script><script>theirs()</script><script async="" nonce="n1" type="module">more()</script>'
  const { html, hashes } = hashInlineScripts(page, 'n1')
  expect(html).toBe('<script>ours()</script><script>theirs()</script><script async="" type="module">more()</script>')
  expect(hashes).toHaveLength(2)
})

test('the policy allows no inline code and no framing', () => {
  const policy = contentSecurityPolicy({
    scriptHashes: ['sha256-x'],
    styleHashes: ['sha256-y'],
    paymentPage: 'https://pay.example.com',
  })
  expect(policy).not.toContain('unsafe')
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("script-src 'self' 'sha256-x'")
  expect(policy).toContain("form-action 'self' https://pay.example.com;")
  expect(policy).toContain("style-src 'self' 'sha256-y'")
})
