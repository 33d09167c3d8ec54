import { randomBytes } from 'node:crypto'
import { getRequestListener } from '@hono/node-server'
import { afterAll, expect, test } from 'vitest'
import { aPushBrowser } from '../../../emulators/push/push-browser.server.ts'
import { createPushService } from '../../../emulators/push/push-emulator.server.ts'
import { serve } from '../../../emulators/test-emulators.server.ts'
import { HOUR_MS } from '../../../lib/time.ts'
import { isPublicAddress } from '../../../platform/public-address.ts'
import { allowedLookup, NotPublic } from '../../../platform/public-lookup.server.ts'
import { encryptMessage, isDeviceKey, senderOf, vapidHeader } from './push-message-gateway.server.ts'
import { parseEndpoint, postToService } from './push-service-gateway.server.ts'

const now = new Date()
const service = createPushService({ clock: { now: () => now } })
const { origin, close } = await serve(getRequestListener(service.app.fetch))
afterAll(close)
const bytes = (text: string) => Buffer.from(text, 'base64url')
const ours = { privateKey: undefined, secret: 'x'.repeat(40), subject: 'mailto:shop@example.com' }

test('a message is encrypted as the example of RFC 8291, appendix A, and the browser of the example reads it', () => {
  const text = 'When I grow up, I want to be a watermelon'
  const browser = aPushBrowser({
    privateKey: bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  })
  const body = encryptMessage(text, browser.keys, {
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  })
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
  expect(browser.read(body)).toBe(text)
})

test('each message has its own key and salt, and another browser cannot read it', () => {
  const [one, other] = [aPushBrowser(), aPushBrowser()]
  const [first, second] = [encryptMessage('Études ☁', one.keys), encryptMessage('Études ☁', one.keys)]
  expect([one.read(first), one.read(second), first.equals(second)]).toEqual(['Études ☁', 'Études ☁', false])
  expect(() => other.read(first)).toThrow(/authenticate/)
  expect([isDeviceKey(one.keys.p256dh), isDeviceKey(Buffer.alloc(65, 4).toString('base64url'))]).toEqual([true, false])
})

test('the key of the shop is made of its secret, always the same, unless the operator sets one', () => {
  const [own] = [randomBytes(32).toString('base64url')]
  expect(senderOf(ours).publicKey).toBe(senderOf(ours).publicKey)
  expect(senderOf(ours).publicKey).not.toBe(senderOf({ ...ours, secret: 'y'.repeat(40) }).publicKey)
  expect(senderOf({ ...ours, privateKey: own }).publicKey).not.toBe(senderOf(ours).publicKey)
  // The key pair of RFC 8291's example.
  const known = senderOf({ ...ours, privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw' })
  expect(known.publicKey).toBe(
    'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  )
})

test('a push service takes what the shop signed for it, and nothing that is late, of another, changed or too large', async () => {
  const sender = senderOf(ours)
  const { path, messages, end } = service.subscribe(sender.publicKey)
  const endpoint = origin + path
  const token = vapidHeader(endpoint, sender, now)
  const post = (changes: Record<string, string> = {}, to = endpoint, body = encryptMessage('x', aPushBrowser().keys)) =>
    postToService(
      to,
      { headers: { authorization: token, 'content-encoding': 'aes128gcm', ttl: '60', ...changes }, body },
      { isLocal: true },
    )
  expect([await post(), messages.length]).toEqual([201, 1])
  const another = senderOf({ ...ours, secret: 'z'.repeat(40) })
  const refused = {
    changed: await post({ authorization: token.replace(/t=([^.]+)\.(..)/, 't=$1.AA') }).catch(() => 500),
    stale: await post({ authorization: vapidHeader(endpoint, sender, new Date(now.getTime() - 13 * HOUR_MS)) }),
    far: await post({ authorization: vapidHeader(endpoint, sender, new Date(now.getTime() + 13 * HOUR_MS)) }),
    elsewhere: await post({ authorization: vapidHeader('https://push.example.com/1', sender, now) }),
    stranger: await post({ authorization: vapidHeader(endpoint, another, now) }),
    coding: await post({ 'content-encoding': 'gzip' }),
    unknown: await post({}, `${origin}/push/none`),
    large: await post({}, endpoint, Buffer.alloc(4097)),
  }
  expect(refused).toMatchObject({ stale: 401, far: 401, elsewhere: 401, stranger: 403, coding: 415, unknown: 404 })
  expect([refused.changed >= 400, refused.large, messages.length]).toEqual([true, 413, 1])
  end()
  expect(await post()).toBe(410)
})

test('only https on the public internet is an address of a push service, and names are looked at when they are resolved', async () => {
  const isOne = (endpoint: string, isLocal = false) => parseEndpoint(endpoint, { isLocal }) !== null
  for (const good of [
    'https://fcm.googleapis.com/fcm/send/a',
    'https://web.push.apple.com/a',
    'https://[2606:4700::1]/a',
  ])
    expect([good, isOne(good)]).toEqual([good, true])
  const hidden = [
    'https://10.0.0.1/a',
    'https://169.254.169.254/a',
    'https://[fd00::1]/a',
    'https://[::ffff:10.0.0.1]/',
  ]
  const odd = [
    'http://fcm.googleapis.com/a',
    'https://a:b@fcm.googleapis.com/',
    'https://fcm.googleapis.com:8443/',
    'x',
    '',
  ]
  for (const bad of [...hidden, ...odd]) expect([bad, isOne(bad), isOne(bad, true)]).toEqual([bad, false, false])
  const loopback = ['http://127.0.0.1:80/a', 'https://127.0.0.1/a', 'https://localhost/a', 'https://2130706433/a']
  for (const bad of loopback) expect([bad, isOne(bad)]).toEqual([bad, false])
  expect(isOne('http://localhost:3000/push/a', true)).toBe(true)
  // A name that is resolved to an address of this machine.
  const found = await new Promise((resolve) => allowedLookup(isPublicAddress)('localhost', { all: true }, resolve))
  expect(found).toBeInstanceOf(NotPublic)
})
