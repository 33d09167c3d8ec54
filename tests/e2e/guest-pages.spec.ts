import { expect, test } from '@playwright/test'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { cookieNames, headerNames, sendRaw } from '../support/sent-by-visitors.ts'
import { admin } from './shared-users.ts'
import { dataFolder, launch, untilReady, type ServerProcess } from './server-process.ts'

const SHOP = 'https://shop.example.com'
/** Not at a loopback address, so every forwarded header gets in, and cookies have their names of https. */
const liveEnvironment = {
  APP_URL: SHOP,
  AUTH_SECRET: 'a-secret-of-thirty-two-characters',
  STRIPE_SECRET_KEY: 'sk_test_nobody',
  STRIPE_WEBHOOK_SECRET: 'whsec_nobody',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Shop <hello@shop.example.com>',
  GOOGLE_CLIENT_ID: 'nobody',
  GOOGLE_CLIENT_SECRET: 'nobody',
}

const running: ServerProcess[] = []
let folder: Awaited<ReturnType<typeof dataFolder>>
test.beforeEach(async () => {
  folder = await dataFolder()
})
test.afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGTERM')
    await ended
  }
  await folder.remove()
})

for (const [name, environment] of [
  ['a demo at http', {}],
  ['a shop at https', liveEnvironment],
] as const) {
  test(`whatever a visitor sends, the next guest of ${name} gets the same bytes`, async () => {
    const server = launch(folder.path, await freePort(), {
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      ...environment,
    })
    running.push(server)
    const appUrl = 'APP_URL' in environment ? environment.APP_URL : server.url
    await untilReady({ ...server, url: appUrl })
    const { host } = new URL(appUrl)
    const get = (path: string, headers: Record<string, string> = {}) =>
      sendRaw(`${server.url}${path}`, { host, ...headers })

    const post = (path: string, body: object, cookie = '') =>
      fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { origin: appUrl, 'content-type': 'application/json', cookie },
        body: JSON.stringify(body),
      })
    const signedIn = await post('/api/auth/sign-in', { email: admin.email, password: admin.password })
    const cookies = signedIn.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    /** Whatever an admin posts drops what is kept, so that the next visitor's page is the one that is kept. */
    const dropCached = async () => expect((await post('/api/nothing', {}, cookies.join('; '))).status).toBe(404)

    const { courses } = JSON.parse((await get('/api/courses')).body) as { courses: { slug: string }[] }
    const course = `/course/${courses[0]?.slug}`
    const paths = ['/', '/_root.data', '/?page=1', course, `${course}?mode=preview`, `${course}.data`]
    const session = 'altocert.session_token=x; __Secure-altocert.session_token=x'
    const everyCookie = cookieNames.map((cookie) => `${cookie}=1`).join('; ')
    const every = (names: readonly string[]) => Object.fromEntries(names.map((header) => [header, '203.0.113.9']))
    // A demo answers nothing that was forwarded, so these are sent without the others too.
    const notForwarded = headerNames.filter((header) => !header.includes('forward') && header !== 'x-real-ip')
    const together: Record<string, string>[] = [
      { cookie: 'altocert.session_token=x; altocert_denied=1' },
      { cookie: '__Secure-altocert.session_token=x; altocert_denied=1' },
      { cookie: 'altocert_denied=1' },
      { cookie: everyCookie },
      { ...every(headerNames), cookie: everyCookie },
      { ...every(notForwarded), cookie: everyCookie },
      { ...every(notForwarded), 'accept-language': 'de', 'accept-encoding': 'identity' },
      { host: 'evil.example', cookie: everyCookie },
    ]
    const alone: Record<string, string>[] = [
      ...cookieNames.flatMap((cookie) => [{ cookie: `${cookie}=1` }, { cookie: `${session}; ${cookie}=1` }]),
      ...headerNames.flatMap((header) => [{ [header]: '203.0.113.9' }, { [header]: 'de', cookie: session }]),
    ]

    for (const path of paths) {
      await dropCached()
      await get(path)
      const plain = await get(path)
      expect([plain.status, plain.headers['etag']]).toEqual([200, expect.any(String)])
      for (const headers of path === '/' ? [...together, ...alone] : together) {
        const sent = `${path} ${JSON.stringify(headers)}`
        await dropCached()
        await get(path, headers)
        const [next, afterThat] = [await get(path), await get(path)]
        expect(next.body === plain.body && afterThat.body === plain.body, sent).toBe(true)
        for (const header of ['etag', 'content-type', 'content-security-policy', 'set-cookie'])
          expect(afterThat.headers[header], `${sent}: ${header}`).toEqual(plain.headers[header])
      }
    }

    // Of a page that is made for each visitor alone, too: the note is for who is signed in.
    const wasDenied = async (cookie: string) => fieldOf((await get('/_root.data?q=aws', { cookie })).body, 'wasDenied')
    expect(await wasDenied('altocert_denied=1')).toBe(false)
    expect(await wasDenied(`${session}; altocert_denied=1`)).toBe(false)
    expect(await wasDenied(`${cookies.join('; ')}; altocert_denied=1`)).toBe(true)
  })
}

/** A field of the data of a page as the framework sends it: a list in which objects name keys and values by their place. */
function fieldOf(sent: string, name: string): unknown {
  const list = JSON.parse(sent.split('\n')[0] ?? '') as unknown[]
  const key = `_${list.indexOf(name)}`
  const holder = list.find((one) => typeof one === 'object' && one !== null && key in one) as Record<string, number>
  return list[holder[key] ?? -1]
}
