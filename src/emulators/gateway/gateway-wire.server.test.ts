import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type Stripe from 'stripe'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCheckout, aDatabase, aGateway, pay, submit } from '../test-emulators.server.ts'

let database: Awaited<ReturnType<typeof aDatabase>>
beforeAll(async () => {
  database = await aDatabase()
})
afterAll(() => database.close())

const here = dirname(fileURLToPath(import.meta.url))

/**
 * Compiles the JSON as TypeScript against the types of the stripe package, and returns the compiler's errors: missing, unknown
 * and mistyped fields. Decimals are strings in JSON.
 */
function compilerErrors(samples: readonly { type: string; json: unknown }[]): string[] {
  const file = join(here, 'wire-samples.ts')
  const source = [
    "import type Stripe from 'stripe'",
    'type Wire<T> = T extends Stripe.Decimal ? string : T extends object ? { [K in keyof T]: Wire<T[K]> } : T',
    ...samples.map(({ type, json }, index) => `export const sample${index}: Wire<${type}> = ${JSON.stringify(json)}`),
  ].join('\n')
  const settings: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ['node'],
  }
  const host = ts.createCompilerHost(settings)
  const readSource = host.getSourceFile.bind(host)
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2023) : readSource(name, ...rest)
  const program = ts.createProgram([file], settings, host)
  return program
    .getSemanticDiagnostics(program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

test('the compiler reports missing, unknown and mistyped fields', () => {
  const good = { object: 'balance', available: [], pending: [], livemode: false }
  const type = 'Stripe.Balance'
  expect(compilerErrors([{ type, json: good }])).toEqual([])
  const bad = [
    { ...good, livemode: undefined },
    { ...good, colour: 'red' },
    { ...good, livemode: 'no' },
  ]
  expect(compilerErrors(bad.map((json) => ({ type, json })))).toHaveLength(3)
})

test('every reply and event has the fields and types that the stripe package publishes', async () => {
  const { stripe, api, control, events, received } = await aGateway(database.pool)
  const raw = async (path: string): Promise<unknown> => {
    const response = await fetch(`http://${api.host}:${api.port}/v1/${path}`, {
      headers: { authorization: 'Bearer sk_test_standins' },
    })
    expect(response.status).toBe(200)
    return response.json()
  }
  const samples: { type: string; json: unknown }[] = []
  const sample = async (type: string, path: string) => void samples.push({ type, json: await raw(path) })

  const open = await stripe.checkout.sessions.create(aCheckout({ allowed_payment_method_types: ['card'] }))
  await sample('Stripe.Checkout.Session', `checkout/sessions/${open.id}?expand[]=line_items`)
  await pay(open, { card_number: '4000 0000 0000 0002' })
  await sample('Stripe.Checkout.Session', `checkout/sessions/${open.id}?expand[]=payment_intent.latest_charge`)
  await pay(open, { card_number: '4000 0025 0000 3155' })
  await sample('Stripe.Checkout.Session', `checkout/sessions/${open.id}?expand[]=payment_intent`)
  await stripe.checkout.sessions.expire(open.id)

  await control('switches', { bankDebit: 'waits' })
  const debits = [
    await stripe.checkout.sessions.create(aCheckout()),
    await stripe.checkout.sessions.create(aCheckout()),
  ]
  for (const [index, outcome] of ['settles', 'fails'].entries()) {
    const debit = debits[index]!
    await submit(debit.url ?? '', { method: 'bank' })
    await sample('Stripe.Checkout.Session', `checkout/sessions/${debit.id}?expand[]=payment_intent.latest_charge`)
    await control('settle', { sessionId: debit.id, outcome })
    await sample('Stripe.Checkout.Session', `checkout/sessions/${debit.id}?expand[]=payment_intent.latest_charge`)
  }

  const paid = await stripe.checkout.sessions.create(aCheckout())
  await pay(paid)
  const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(paid.id)
  const refund = await stripe.refunds.create({ payment_intent: String(intent), reason: 'duplicate' })
  const disputed = await stripe.checkout.sessions.create(aCheckout())
  await pay(disputed, { card_number: '4000 0000 0000 0259' })
  await control('dispute', { sessionId: disputed.id, outcome: 'lost' })

  await sample('Stripe.ApiList<Stripe.Checkout.Session>', 'checkout/sessions?expand[]=data.line_items')
  await sample('Stripe.ApiList<Stripe.LineItem>', `checkout/sessions/${paid.id}/line_items`)
  await sample('Stripe.PaymentIntent', `payment_intents/${String(intent)}?expand[]=latest_charge.refunds`)
  await sample('Stripe.Charge', `charges/${String(refund.charge)}`)
  await sample('Stripe.Refund', `refunds/${refund.id}`)
  await sample('Stripe.ApiList<Stripe.Refund>', 'refunds')
  await sample('Stripe.Balance', 'balance')

  const kinds = new Set<string>()
  await events(16)
  for (const { event, body } of received) {
    kinds.add(event.type)
    samples.push({ type: `Extract<Stripe.Event, { type: '${event.type}' }>`, json: JSON.parse(body) as Stripe.Event })
  }
  expect([...kinds].sort()).toEqual([
    'charge.dispute.closed',
    'charge.dispute.created',
    'charge.refunded',
    'checkout.session.async_payment_failed',
    'checkout.session.async_payment_succeeded',
    'checkout.session.completed',
    'checkout.session.expired',
    'payment_intent.payment_failed',
    'payment_intent.succeeded',
    'refund.created',
  ])
  await sample('Stripe.Event', `events/${received[0]!.event.id}`)
  expect(compilerErrors(samples)).toEqual([])
})
