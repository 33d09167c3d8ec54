import { createHash, randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createGoogle } from './google-emulator.server.ts'
import { aDatabase, quietLog, serve } from '../test-emulators.server.ts'

let database: Awaited<ReturnType<typeof aDatabase>>
beforeAll(async () => {
  database = await aDatabase()
})
afterAll(() => database.close())

const redirectUri = 'http://127.0.0.1:9/api/auth/callback/google'
type Discovery = {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  userinfo_endpoint: string
  jwks_uri: string
}

/** Two providers behind one real server, as two processes that share a database. */
async function aProvider() {
  const listeners: RequestListener[] = []
  let turn = 0
  const server = await serve((request, response) => listeners[turn++ % listeners.length]?.(request, response))
  onTestFinished(server.close)
  const publicBase = `${server.origin}/demo`
  const options = {
    pool: database.pool,
    publicBase,
    clientId: 'altocert-demo',
    clientSecret: 'a secret/with+signs',
    redirectUris: [redirectUri],
    log: quietLog,
  }
  const google = await createGoogle(options)
  // Requests alternate between both processes: each must be able to continue the flow of the other.
  listeners.push(google.listener, (await createGoogle(options)).listener)
  const response = await fetch(`${google.issuer}/.well-known/openid-configuration`)
  return { google, publicBase, discovery: (await response.json()) as Discovery }
}

/** A browser that keeps cookies and follows redirects until they leave the provider. */
function aBrowser(origin: string) {
  const cookies = new Map<string, string>()
  async function visit(address: string, form?: Record<string, string>): Promise<{ url: URL; page: Response | null }> {
    const url = new URL(address)
    if (url.origin !== origin) return { url, page: null }
    const page = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { accept: 'text/html', cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    })
    for (const line of page.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name = '', ...value] = pair.split('=')
      cookies.set(name, value.join('='))
    }
    const next = page.headers.get('location')
    return next === null ? { url, page } : visit(new URL(next, url).href)
  }
  return visit
}

async function begin(options: { verifier?: string; change?: Record<string, string | null> } = {}) {
  const provider = await aProvider()
  const verifier = options.verifier ?? randomBytes(32).toString('base64url')
  const ask = new URLSearchParams({
    client_id: provider.google.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email profile',
    state: 'the-state',
    nonce: 'the-nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  for (const [name, value] of Object.entries(options.change ?? {})) {
    if (value === null) ask.delete(name)
    else ask.set(name, value)
  }
  const visit = aBrowser(new URL(provider.publicBase).origin)
  const authorize = () => visit(`${provider.discovery.authorization_endpoint}?${ask}`)
  const first = await authorize()
  return { ...provider, verifier, visit, authorize, first }
}

async function exchange(
  provider: Awaited<ReturnType<typeof aProvider>>,
  code: string,
  verifier: string,
  how: 'post' | 'basic' = 'post',
) {
  const { clientId, clientSecret } = provider.google
  const fields = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...(how === 'post' ? { client_id: clientId, client_secret: clientSecret } : {}),
  })
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')
  return fetch(provider.discovery.token_endpoint, {
    method: 'POST',
    body: fields,
    headers: how === 'basic' ? { authorization: `Basic ${basic}` } : {},
  })
}

const ana = { name: 'Ana Beispiel', email: 'Ana@Example.com', email_verified: 'on' }

test('the whole flow: discovery, page, code, verified ID token and user info', async () => {
  const signIn = await begin()
  const { discovery, google, publicBase, verifier, visit, first } = signIn
  expect(discovery).toMatchObject({
    issuer: `${publicBase}/google`,
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']) as unknown,
  })
  expect(google.issuer).toBe(discovery.issuer)

  const markup = (await first.page?.text()) ?? ''
  for (const part of ['Name', 'Email address', 'Email is verified', 'Continue', 'Cancel', 'This is not Google']) {
    expect(markup).toContain(part)
  }
  expect(markup).toMatch(/name="email_verified"\s+checked/)
  expect(markup).not.toMatch(/<script|<style|style=|password"/i)
  expect(first.page?.headers.get('content-security-policy')).toContain("form-action 'self' http://127.0.0.1:9;")

  const back = await visit(first.url.href, ana)
  expect(back.url.href.startsWith(redirectUri)).toBe(true)
  expect(back.url.searchParams.get('state')).toBe('the-state')
  const reply = await exchange(signIn, back.url.searchParams.get('code') ?? '', verifier)
  expect(reply.status).toBe(200)
  const tokens = (await reply.json()) as { id_token: string; access_token: string; token_type: string }
  expect(tokens.token_type).toBe('Bearer')

  const keys = (await (await fetch(discovery.jwks_uri)).json()) as JSONWebKeySet
  const { payload, protectedHeader } = await jwtVerify(tokens.id_token, createLocalJWKSet(keys), {
    issuer: discovery.issuer,
    audience: google.clientId,
    algorithms: ['RS256'],
  })
  expect(protectedHeader.alg).toBe('RS256')
  const user = { sub: payload.sub, email: 'ana@example.com', email_verified: true, name: 'Ana Beispiel' }
  expect(payload).toMatchObject({ ...user, nonce: 'the-nonce' })
  expect(payload.sub).toMatch(/^\d{21}$/)
  const info = await fetch(discovery.userinfo_endpoint, { headers: { authorization: `Bearer ${tokens.access_token}` } })
  expect(await info.json()).toEqual(user)

  const again = await exchange(signIn, back.url.searchParams.get('code') ?? '', verifier)
  expect(await again.json()).toMatchObject({ error: 'invalid_grant' })
})

test('each email address has its own stable subject', async () => {
  const subjectOf = async (user: Record<string, string>) => {
    const signIn = await begin()
    const back = await signIn.visit(signIn.first.url.href, user)
    const reply = await exchange(signIn, back.url.searchParams.get('code') ?? '', signIn.verifier, 'basic')
    const { id_token: token } = (await reply.json()) as { id_token: string }
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
  }
  const first = await subjectOf(ana)
  const { email_verified: _, ...unverified } = ana
  const second = await subjectOf({ ...unverified, name: 'Ana B.', email: ' ana@example.com '.trim() })
  const other = await subjectOf({ ...ana, email: 'ben@example.com' })
  expect(second['sub']).toBe(first['sub'])
  expect(second).toMatchObject({ name: 'Ana B.', email_verified: false })
  expect(other['sub']).not.toBe(first['sub'])
})

test('the user is signIn every time, also with a session and with prompt=select_account or consent', async () => {
  for (const prompt of [null, 'select_account', 'consent']) {
    const signIn = await begin({ change: { prompt } })
    const back = await signIn.visit(signIn.first.url.href, ana)
    expect(back.url.searchParams.get('code')).toBeTruthy()
    const next = await signIn.authorize()
    expect(next.url.pathname).toContain('/demo/google/interaction/')
    const second = await signIn.visit(next.url.href, { ...ana, email: 'ben@example.com' })
    expect(second.url.searchParams.get('code')).toBeTruthy()
  }
})

test('cancelling returns access_denied with the state', async () => {
  const { visit, first } = await begin()
  const back = await visit(first.url.href, { answer: 'cancel' })
  expect(back.url.href.startsWith(redirectUri)).toBe(true)
  expect(Object.fromEntries(back.url.searchParams)).toMatchObject({ error: 'access_denied', state: 'the-state' })
})

test('an invalid name or email address is explained at its field, and the form keeps its values', async () => {
  const { visit, first } = await begin()
  const again = await visit(first.url.href, { name: ' ', email: 'ana@' })
  const markup = (await again.page?.text()) ?? ''
  expect(markup).toContain('Enter a name.')
  expect(markup).toContain('Enter an email address, such as ana@example.com.')
  expect(markup).toContain('value="ana@"')
  expect(markup).toContain('aria-describedby="email-error"')
  expect(markup).not.toMatch(/name="email_verified"\s+checked/)
  const back = await visit(again.url.href, ana)
  expect(back.url.searchParams.get('code')).toBeTruthy()
})

test('without PKCE there is no code, and with a wrong verifier no token', async () => {
  const bare = await begin({ change: { code_challenge: null, code_challenge_method: null } })
  expect(bare.first.url.searchParams.get('error')).toBe('invalid_request')
  const signIn = await begin()
  const back = await signIn.visit(signIn.first.url.href, ana)
  const reply = await exchange(signIn, back.url.searchParams.get('code') ?? '', randomBytes(32).toString('base64url'))
  expect(reply.status).toBe(400)
  expect(await reply.json()).toMatchObject({ error: 'invalid_grant' })
})

test('an unknown redirect address, client or interaction gets our own error page', async () => {
  const changes: Record<string, string>[] = [{ redirect_uri: 'http://elsewhere.example/' }, { client_id: 'stranger' }]
  for (const change of changes) {
    const { first } = await begin({ change })
    expect(first.page?.status).toBe(400)
    const markup = (await first.page?.text()) ?? ''
    expect(markup).toContain('Sign-in did not work')
    expect(markup).not.toMatch(/<script|<style/i)
  }
  const { google } = await aProvider()
  const stale = await fetch(`${google.issuer}/interaction/invented`)
  expect(stale.status).toBe(400)
  expect(await stale.text()).toContain('Go back and start again.')
})

test('the provider serves no pages of its own', async () => {
  const { google } = await aProvider()
  for (const path of ['/session/end', '/device', '/reg', '/interaction', '/nothing']) {
    const response = await fetch(`${google.issuer}${path}`, { headers: { accept: 'text/html' } })
    expect(response.status).toBe(404)
    expect(await response.text()).not.toMatch(/<style|<form/i)
  }
})

test('the signing key is created once and shared with the next process', async () => {
  const first = await aProvider()
  const second = await aProvider()
  const keys = await Promise.all(
    [first, second].map(async ({ discovery }) => (await fetch(discovery.jwks_uri)).json() as Promise<unknown>),
  )
  expect(keys[0]).toEqual(keys[1])
  expect(JSON.stringify(keys[0])).not.toContain('"d"')
})
