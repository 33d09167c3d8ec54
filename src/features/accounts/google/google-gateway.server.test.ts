import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from '../../../../tests/support/start-app.ts'
import { createGoogleSignIn } from './google-gateway.server.ts'

const app = await startApp()

/** The start of a sign-in at a provider of which the discovery document is answered like this. */
async function startAt(answer: (issuer: string) => RequestListener, end = '') {
  const server = createServer((request, response) => answer(issuer)(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return signIn({ issuer: `${issuer}${end}`, appUrl: app.url })
}

function signIn({ issuer, appUrl }: { issuer: string; appUrl: string }) {
  const { database, secret, log } = app.services
  const client = { clientId: 'shop', clientSecret: 'a secret', issuer }
  const google = createGoogleSignIn({ db: database.db, appUrl, secret, client, log })
  return google.start(new Request(`${appUrl}/api/auth/google`), '/')
}

const documentOf = (issuer: string, named: string) =>
  JSON.stringify({
    issuer: named,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    id_token_signing_alg_values_supported: ['RS256'],
  })
const naming =
  (nameOf: (issuer: string) => string) =>
  (issuer: string): RequestListener =>
  (_request, response) =>
    response.setHeader('content-type', 'application/json').end(documentOf(issuer, nameOf(issuer)))

test('a provider that names another issuer than GOOGLE_ISSUER is refused; a trailing slash makes no difference', async () => {
  await expect(startAt(naming(() => 'https://evil.example'))).rejects.toThrow('https://evil.example')
  await expect(startAt(naming(() => ''))).rejects.toThrow('names the issuer')
  for (const [nameOf, end] of [
    [(issuer: string) => issuer, ''],
    [(issuer: string) => `${issuer}/`, ''],
    [(issuer: string) => issuer, '/'],
  ] as const)
    expect((await startAt(naming(nameOf), end)).headers.get('location')).toContain('/auth?')
})

test('reading the discovery document follows no redirect', async () => {
  const redirecting =
    (issuer: string): RequestListener =>
    (request, response) =>
      request.url === '/elsewhere'
        ? naming((own) => own)(issuer)(request, response)
        : response.writeHead(302, { location: `${issuer}/elsewhere` }).end()
  await expect(startAt(redirecting)).rejects.toThrow('fetch failed')
})

test('on https the cookies of a sign-in with Google have the prefix __Host-', async () => {
  const reply = await signIn({ issuer: app.services.emulators.google.issuer, appUrl: 'https://shop.example' })
  const cookies = reply.headers.getSetCookie()
  expect(cookies).not.toEqual([])
  for (const cookie of cookies) {
    expect(cookie).toMatch(/^__Host-altocert\.\w+=.*; Path=\/; .*Secure/)
    expect(cookie).not.toContain('Domain')
  }
})
