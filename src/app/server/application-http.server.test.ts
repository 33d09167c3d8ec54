import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startApp } from '../../../tests/support/start-app.ts'

const app = await startApp()

/** A raw request with any header. */
function raw(
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${app.url}${path}`, { method, headers }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

test('health and readiness report the state of each part', async () => {
  expect((await raw('/healthz', {})).status).toBe(200)
  const ready = await raw('/readyz', {})
  expect(ready.status).toBe(200)
  expect(JSON.parse(ready.body)).toEqual({ status: 'ok', database: 'ok', mail: 'ok', payment: 'ok', clock: 'ok' })
})

test('readiness names the part that is unreachable', async () => {
  const switches = `${app.url}/demo/gateway/switches`
  const turn = (api: string) =>
    fetch(switches, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', origin: app.url },
      body: JSON.stringify({ api }),
    })
  await turn('down')
  app.clock.forward(10_000)
  const ready = await raw('/readyz', {})
  await turn('normal')
  expect(ready.status).toBe(503)
  expect(JSON.parse(ready.body)).toMatchObject({ status: 'degraded', database: 'ok', payment: 'away' })
})

test('with an emulator, a foreign Host and every forwarded header are refused', async () => {
  expect((await raw('/api/courses', { host: 'shop.example.com' })).status).toBe(421)
  for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'])
    expect((await raw('/api/courses', { [name]: '203.0.113.9' })).status).toBe(421)
})

test('a write needs our own Origin', async () => {
  const bad: Record<string, string>[] = [
    {},
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: app.url.replace('http:', 'https:') },
  ]
  for (const headers of bad) expect((await raw('/api/auth/sign-out', headers, 'POST')).status).toBe(403)
  expect((await raw('/api/auth/sign-out', { origin: app.url }, 'POST')).status).toBe(200)
})

test('every reply carries the security headers and a request id', async () => {
  for (const path of ['/api/courses', '/api/nothing', '/healthz', '/robots.txt', '/sitemap.xml', '/demo/outbox']) {
    const { headers } = await raw(path, {})
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(String(headers['content-security-policy'])).not.toContain('unsafe')
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('an unknown call is a 404 in the form of every failure', async () => {
  const reply = await raw('/api/nothing', {})
  expect(reply.status).toBe(404)
  expect(JSON.parse(reply.body)).toMatchObject({ error: { message: 'The requested resource was not found' } })
})

test('aliases of a page redirect to it', async () => {
  expect((await raw('/home', {})).headers['location']).toBe('/')
  expect((await raw('/learning/anything/below', {})).headers['location']).toBe('/my-courses')
  expect((await raw('/course-management', {})).headers['location']).toBe('/admin/course-management')
})
