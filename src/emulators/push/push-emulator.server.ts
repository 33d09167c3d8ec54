import { createPublicKey, randomUUID, verify } from 'node:crypto'
import { Hono } from 'hono'
import type { Clock } from '../../platform/clock.server.ts'

const MAX_BYTES = 4096
const MAX_TOKEN_SECONDS = 24 * 60 * 60

type PushedMessage = { readonly ttl: number; readonly body: Buffer }
type Subscription = { readonly key: string; isEnded: boolean; readonly messages: PushedMessage[] }

/** A push service that keeps what it is sent. A subscription belongs to the key of one sender (RFC 8292, 4). */
export function createPushService({ clock }: { readonly clock: Clock }) {
  const subscriptions = new Map<string, Subscription>()
  const answers: number[] = []
  const app = new Hono()
  app.post('/push/:id', async (c) => {
    const subscription = subscriptions.get(c.req.param('id'))
    if (subscription === undefined) return c.text('unknown', 404)
    if (subscription.isEnded) return c.text('ended', 410)
    const ttl = c.req.header('ttl') ?? ''
    if (!/^\d+$/.test(ttl)) return c.text('no TTL', 400)
    if (c.req.header('content-encoding') !== 'aes128gcm') return c.text('not aes128gcm', 415)
    const problem = tokenProblem(c.req.header('authorization') ?? '', {
      origin: new URL(c.req.url).origin,
      key: subscription.key,
      now: clock.now(),
    })
    if (problem !== null) return c.text(problem, problem === 'another key' ? 403 : 401)
    const body = Buffer.from(await c.req.arrayBuffer())
    if (body.length > MAX_BYTES) return c.text('too large', 413)
    const answer = answers.shift()
    if (answer !== undefined) return new Response(null, { status: answer, headers: { location: '/elsewhere' } })
    subscription.messages.push({ ttl: Number(ttl), body })
    return c.body(null, 201, { location: `${new URL(c.req.url).origin}/message/${randomUUID()}` })
  })
  return {
    app,
    /** What a browser does to get an address. */
    subscribe(key: string) {
      const [id, subscription] = [randomUUID(), { key, isEnded: false, messages: [] as PushedMessage[] }]
      subscriptions.set(id, subscription)
      return { path: `/push/${id}`, messages: subscription.messages, end: () => void (subscription.isEnded = true) }
    },
    /** The next valid messages are answered with these statuses, and not kept. */
    answerWith: (...statuses: number[]) => void answers.push(...statuses),
  }
}

type Expected = { readonly origin: string; readonly key: string; readonly now: Date }

/** Null for a token that RFC 8292 accepts. */
function tokenProblem(authorization: string, { origin, key, now }: Expected): string | null {
  const [, head = '', claims = '', signature = '', k = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  if (k === '') return 'no token'
  if (k !== key) return 'another key'
  const json = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  const point = Buffer.from(k, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  const signed = Buffer.from(`${head}.${claims}`)
  const of = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  if (json(head)['alg'] !== 'ES256' || !verify('sha256', signed, of, Buffer.from(signature, 'base64url')))
    return 'not signed'
  const { aud, exp, sub } = json(claims)
  if (aud !== origin) return 'for another service'
  const seconds = Number(exp) - now.getTime() / 1000
  if (!(seconds > 0 && seconds <= MAX_TOKEN_SECONDS)) return 'not in its time'
  return typeof sub === 'string' && /^(mailto:|https:)/.test(sub) ? null : 'no contact'
}
